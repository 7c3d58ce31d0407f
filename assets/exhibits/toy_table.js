// The toy's table: what may come first, and after each letter. Each row sums to 1.

import { arrow, element } from "../elements.js";
import { t } from "../words.js";
import { readProbability, shared, wrongRow } from "./toy_sums.js";

export const LETTERS = ["A", "B", "C", "D", "E"];

const written = (value) => String(Number(value.toFixed(4)));

// A grid of inputs in `place`; `onChange(table)` is called with the numbers after every change, with
// null while they are no probabilities. `trouble(text)` says what is wrong with them.
export function createTable(place, trouble, onChange) {
  let table = [];
  const inputs = [];
  const sums = [];
  const shares = [];
  const names = [];

  const rows = Array.from({ length: LETTERS.length + 1 }, (_, row) => {
    names[row] = element("th", { scope: "row" });
    inputs[row] = LETTERS.map((_, column) => cell(row, column));
    sums[row] = element("output");
    shares[row] = element("button", { type: "button", hidden: "", onclick: () => put(row, shared(table[row].map((p) => p ?? 0))) });
    return element("tr", {}, names[row], ...inputs[row].map((input) => element("td", {}, input)), element("td", {}, sums[row], shares[row]));
  });
  const corner = element("th", { scope: "col" });
  place.append(
    element("thead", {}, element("tr", {}, element("td"), ...LETTERS.map((letter) => element("th", { scope: "col" }, letter)), corner)),
    element("tbody", {}, ...rows));
  place.addEventListener("keydown", move);

  function cell(row, column) {
    return element("input", {
      type: "text", inputmode: "decimal", maxlength: 8, "data-cell": `${row}.${column}`, autocomplete: "off",
      onfocus: ({ target }) => target.select(),
      oninput: ({ target }) => {
        table[row][column] = readProbability(target.value);
        changed();
      },
    });
  }

  // Arrow keys go from cell to cell; inside a number left and right move the caret first.
  function move(event) {
    const step = arrow(event);
    const { cell: at } = event.target.dataset;
    if (step === null || at === undefined) return;
    const { selectionStart: from, selectionEnd: to, value } = event.target;
    const inside = from === to && (step.columns < 0 ? from > 0 : from < value.length);
    if (step.columns !== 0 && inside) return;
    const [row, column] = at.split(".").map(Number);
    const next = inputs[row + step.rows]?.[column + step.columns];
    event.preventDefault();
    next?.focus();
  }

  function put(row, cells) {
    table[row] = cells;
    write();
    changed();
  }

  function write() {
    table.forEach((cells, row) => cells.forEach((value, column) => {
      if (value !== null) inputs[row][column].value = written(value);
    }));
  }

  function changed() {
    judge();
    const whole = table.every((cells) => cells.every((value) => value !== null)) && wrongRow(table) === null;
    onChange(whole ? table.map((cells) => [...cells]) : null);
  }

  // Says what is wrong; a row that does not sum to 1 gets its button.
  function judge() {
    let bad = null;
    table.forEach((cells, row) => {
      const sum = cells.reduce((total, value) => total + (value ?? NaN), 0);
      const whole = wrongRow([cells.map((value) => value ?? 0)]) === null;
      sums[row].textContent = Number.isNaN(sum) ? "?" : written(sum);
      shares[row].hidden = Number.isNaN(sum) || whole;
      sums[row].className = whole ? "" : "hl-wrong";
      cells.forEach((value, column) => {
        inputs[row][column].setAttribute("aria-invalid", String(value === null));
        if (value === null) bad ??= inputs[row][column].value;
      });
    });
    trouble(bad !== null ? t("toy.refused.number", { value: bad }) : sumText(wrongRow(table)));
  }

  return {
    set(given) {
      table = given.map((row) => [...row]);
      write();
      changed();
    },
    // Writes its words again, after a change of the language.
    name() {
      corner.textContent = t("toy.sum");
      names.forEach((name, row) => {
        name.textContent = rowName(row);
        shares[row].textContent = t("toy.share");
        shares[row].setAttribute("aria-label", t("toy.share.name", { row: rowName(row) }));
        inputs[row].forEach((input, column) =>
          input.setAttribute("aria-label", t("toy.cell", { row: rowName(row), letter: LETTERS[column] })));
      });
      if (table.length > 0) judge();
    },
  };
}

const rowName = (row) => (row === 0 ? t("toy.row.start") : t("toy.row.after", { letter: LETTERS[row - 1] }));

function sumText(wrong) {
  if (wrong === null) return "";
  const sum = String(Number(wrong.sum.toPrecision(6)));
  if (wrong.row === 0) return t("toy.refused.start", { sum });
  return t("toy.refused.after", { letter: LETTERS[wrong.row - 1], sum });
}
