// The table of the ledger: one row a finished text, which keeps its place while its rank changes.

import { element } from "../elements.js";
import { signedText } from "../numbers.js";
import { langOf, number, t } from "../words.js";

const COLUMNS = ["rank", "text", "sum", "length", "penalty", "score"];

// Small ones need more places to be checked by hand.
export const penaltyText = (penalty) => (penalty < 1 ? penalty.toPrecision(5) : penalty.toFixed(4));

export function createRows(table, onChoose) {
  let made = { entries: [], language: null, rows: [] };

  function make(entries, language) {
    const rows = entries.map((one, i) => row(one, i, () => onChoose(one)));
    const head = element("tr", {}, ...COLUMNS.map((name) => element("th", { scope: "col" }, t(`ledger.${name}`))));
    table.replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows.map(({ line }) => line)));
    made = { entries, language, rows };
  }

  return {
    draw({ entries, ranks, scores, penalties, chosen }, language) {
      const same = entries.length === made.entries.length && entries.every((one, i) => one === made.entries[i]);
      if (!same || language !== made.language) make(entries, language);
      made.rows.forEach(({ line, rank, move, penalty, score, button }, i) => {
        const now = ranks[i];
        const { was } = entries[i];
        const moved = was === null ? "new" : now < was ? "up" : now > was ? "down" : "no";
        line.className = rowClass(entries[i], moved, i === chosen, now === 0);
        line.dataset.rank = now;
        button.setAttribute("aria-pressed", String(i === chosen));
        const words = movedText(moved, was, now);
        button.setAttribute("aria-label", words);
        line.title = words;
        rank.textContent = number(now);
        move.textContent = moveSign(moved, was);
        penalty.textContent = penaltyText(penalties[i]);
        score.textContent = signedText(scores[i], 4);
      });
    },
  };
}

function row(one, i, choose) {
  const [rank, move, penalty, score] = [element("b"), element("small"), element("td"), element("td")];
  const button = element("button", { type: "button" }, move, rank);
  const text = element("td", { lang: langOf(one.text) }, one.text || t("hypothesis.empty"));
  if (one.kind === "cut") text.append(" ", element("small", {}, t("ledger.kind.cut")));
  if (one.kind === "beaten") text.append(" ", element("small", {}, t("ledger.kind.beaten", { n: number(i), step: one.length })));
  const line = element("tr", { onclick: choose },
    element("td", {}, button), text, element("td", {}, signedText(one.log_prob, 4)), element("td", {}, one.length), penalty, score);
  return { line, rank, move, penalty, score, button };
}

function rowClass(one, moved, chosen, first) {
  return [one.kind === "beaten" && "hl-beaten", moved === "up" && "hl-up", moved === "down" && "hl-down", chosen && "hl-chosen", first && "hl-first"]
    .filter(Boolean).join(" ");
}

function moveSign(moved, was) {
  if (moved === "new") return "–";
  return { up: `▲ ${number(was)} →`, down: `▼ ${number(was)} →`, no: "" }[moved];
}

function movedText(moved, was, now) {
  const places = { was: was === null ? "" : number(was), now: number(now) };
  return t(`ledger.moved.${moved}`, places);
}
