// Matrices as tables: those to type in, and those that were computed, each number a button.

import { colourOf, cssOf, isDark, ramps } from "../colour.js";
import { arrow, element } from "../elements.js";
import { cellText } from "../numbers.js";
import { number, t } from "../words.js";
import { at } from "./byhand_maths.js";
import { numberText } from "./byhand_origin.js";

const LARGEST = 1000; // a number that may be typed in, either sign

const TYPED = { S: "scores", W: "weights" }; // the step that a matrix stands for

const lit = (from, name, head, row, col) => from.some((part) => part.name === name && part.head === head
  && (part.row ?? row) === row && (part.col ?? col) === col);

const figure = (caption, table) => element("figure", { class: "hl-byhand-matrix" }, element("figcaption", {}, caption), table);

// The matrices to type in. They are built once for each set of them, so that typing keeps its place.
export function createGiven(root, onInput) {
  let built = false;

  function build(state) {
    built = true;
    root.replaceChildren(...Object.entries(state.given).map(([name, matrix]) => {
      const rows = Array.from({ length: matrix.rows }, (_, row) => element("tr", {},
        ...Array.from({ length: matrix.columns }, (_, col) => element("td", {}, field(state, name, row, col)))));
      const node = figure("", element("table", {}, ...rows));
      node.dataset.given = name;
      return node;
    }));
    root.onkeydown = move;
  }

  function field(state, name, row, col) {
    const { columns, cells } = state.given[name];
    const input = element("input", { type: "text", inputmode: "decimal", value: typedText(cells[row * columns + col]), "data-row": row, "data-col": col });
    input.addEventListener("input", () => {
      const value = parsed(input.value);
      input.setAttribute("aria-invalid", value === null);
      if (value === null) return; // the last number that was one stays
      state.given[name].cells[row * columns + col] = value;
      onInput();
    });
    return input;
  }

  function draw(state, from) {
    if (!built) build(state);
    for (const node of root.children) {
      const name = node.dataset.given;
      node.firstChild.textContent = t(`byhand.given.${name}`);
      for (const input of node.querySelectorAll("input")) {
        const [row, col] = [Number(input.dataset.row), Number(input.dataset.col)];
        input.setAttribute("aria-label", t("byhand.cell", { name: t(`byhand.given.${name}`), row: number(row), column: number(col) }));
        input.parentNode.classList.toggle("hl-lit", lit(from, TYPED[name] ?? name, undefined, row, col));
      }
    }
  }

  // Up and down go to the same column of the next row.
  function move(event) {
    const step = arrow(event);
    if (step === null || step.rows === 0 || event.target.tagName !== "INPUT") return;
    event.preventDefault();
    const { row, col } = event.target.dataset;
    event.target.closest("table").querySelector(`[data-row="${Number(row) + step.rows}"][data-col="${col}"]`)?.focus();
  }

  return { draw, rebuild: () => { built = false; } };
}

// As one would type it: thirds as such.
export function typedText(value) {
  const thirds = Math.round(value * 3);
  if (thirds % 3 !== 0 && thirds / 3 === value) return `${thirds}/3`;
  return String(value);
}

// A number as people type it, "1/3" and "−2,5" too; null where it is none.
export function parsed(text) {
  const parts = text.trim().replace("−", "-").replace(",", ".").split("/");
  if (parts.length > 2 || parts.some((part) => !/^\s*-?(\d+\.?\d*|\.\d+)\s*$/.test(part))) return null;
  const value = parts.length === 2 ? Number(parts[0]) / Number(parts[1]) : Number(parts[0]);
  return Number.isFinite(value) && Math.abs(value) <= LARGEST ? value : null;
}

// A computed matrix; a click on a number asks where it comes from. Without onChoose it is only shown.
export function result(matrix, { name, head, caption, chosen, from, ramp, onChoose }) {
  const cell = (row, col) => {
    const value = at(matrix, row, col);
    const text = name === "weights" ? cellText(value) : numberText(value);
    const marks = lit(from, name, head, row, col) ? "hl-lit" : "";
    if (!onChoose) return element("td", { class: marks }, element("span", {}, text));
    const here = chosen.name === name && chosen.head === head && chosen.row === row && chosen.col === col;
    const colour = name === "weights" ? colourOf(ramps[ramp], value) : null;
    return element("td", { class: marks }, element("button", {
      type: "button", "aria-pressed": String(here), "data-row": row, "data-col": col,
      "aria-label": `${t("byhand.place", { row: number(row), column: number(col), step: t(`byhand.name.${name}`) })}: ${text}`,
      style: colour && `background:${cssOf(colour)};color:${isDark(colour) ? "#fff" : "#1c1c22"}`,
      onclick: () => onChoose({ name, head, row, col }),
    }, text));
  };
  const rows = Array.from({ length: matrix.rows }, (_, row) =>
    element("tr", {}, ...Array.from({ length: matrix.columns }, (_, col) => cell(row, col))));
  const node = figure(caption, element("table", {}, ...rows));
  node.dataset.step = name;
  if (head !== undefined) node.dataset.head = head;
  return node;
}
