// "/assets/..." is a file of this repository, as on the page, and so is "headlight/assets/...", as
// scripts are called in a saved file (explorer/saved.py).

const ROOT = new URL("../../", import.meta.url);

/** The address of what a script imports. @param {string} specifier @param {string} from */
export function addressOf(specifier, from) {
  const [, rooted] = /^(?:\/|headlight\/)((?:assets|explorer)\/.*)/.exec(specifier) ?? [];
  return rooted ? new URL(rooted, ROOT).href : new URL(specifier, from).href;
}

export const resolve = (specifier, context, next) =>
  /^(?:\/|headlight\/)(?:assets|explorer)\//.test(specifier)
    ? { url: addressOf(specifier), format: "module", shortCircuit: true }
    : next(specifier, context);
