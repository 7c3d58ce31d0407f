// Requests for explanations, read off their records. Pure functions.

/** The request that a record answers. @param {any} record */
export const requestOf = ({ text, settings, shown, prefix, node, interventions }) => ({
  text,
  settings,
  shown,
  prefix,
  begin: "",
  node,
  interventions,
});

/** What makes a search: two records that agree in it hold the same search. @param {any} record */
export const searchOf = ({ text, settings, prefix, interventions }) =>
  JSON.stringify([text, settings, prefix, interventions]);
