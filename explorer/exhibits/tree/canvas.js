// A tree on a canvas that can be dragged, zoomed, pointed at and walked. It keeps its place when
// new data arrives.

import { eachFrame } from "../../../assets/kit/elements.js";
import { SvgInk } from "../../../assets/kit/ink.js";
import { frameOf, paint } from "./paint.js";
import { neighbour } from "./shape.js";
import { extent, fitted, held, hit, showing, zoomed } from "./sight.js";

const DRAG = 4; // px that a pointer moves before it drags
const LARGEST = { width: 4500, height: 3000 }; // px of the downloaded picture
const WALKS = /^(Arrow(Left|Right|Up|Down)|Home|End)$/;
const ZOOMS = { "+": 1, "=": 1, "-": -1 };

/**
 * A tree's event handlers.
 * @typedef {object} Deeds
 * @property {(found: {node?: any, fold?: any}|null) => void} point
 * @property {(node: any) => void} walk to the node that an arrow key leads to
 * @property {(isFocused: boolean) => void} focus
 * @property {(node: any) => void} [pick]
 * @property {(parent: any) => void} [fold]
 * @property {Record<string, (node: any) => void>} [keys] further keys and their actions on the
 * cursor
 * @property {() => any} now the current scene: keys may be pressed faster than it is drawn
 */

export class TreeView {
  /** @type {any} */
  #scene = null;
  /** @type {any} */
  #sight = null;
  /** @type {any} */
  #frame = null;
  #isMoved = false; // by the visitor
  #soon = eachFrame(() => this.#repaint());

  /**
   * Creates it in `field`, which contains a canvas. A tree that should be legible starts at a
   * readable size, even if it is not completely visible.
   * @param {HTMLElement} field
   * @param {Deeds} deeds
   */
  constructor(field, deeds, { isLegible = true } = {}) {
    this.field = field;
    this.canvas = /** @type {HTMLCanvasElement} */ (field.querySelector("canvas"));
    this.deeds = deeds;
    this.isLegible = isLegible;
    this.#listen();
    this.#listenToKeys();
  }

  /** @param {import("./paint.js").Scene} scene */
  draw(scene, { refit = false } = {}) {
    const before = this.#frame;
    this.#frame = frameOf(this.field);
    const { size, key } = this.#frame;
    const isResized = before?.key !== key;
    const isTaller = scene.layout.height !== this.#scene?.layout.height;
    this.#scene = scene;
    if (size.width === 0 || size.height === 0) return;
    const isFitting = (isResized || isTaller) && !this.#isMoved;
    if (this.#sight === null || refit || isFitting) {
      this.#fit(this.isLegible);
      this.show(scene.cursor); // a long search begins at its slider's position
    } else this.#move(this.#sight);
    if (isResized) this.#resize(size);
    this.#repaint();
  }

  zoom(steps, at = { x: this.#frame.size.width / 2, y: this.#frame.size.height / 2 }) {
    this.#move(zoomed(this.#sight, steps, at, this.#frame.em));
    this.#isMoved = true;
    this.#soon();
  }

  pan(x, y) {
    this.#move({ ...this.#sight, x: this.#sight.x + x, y: this.#sight.y + y });
    this.#isMoved = true;
    this.#soon();
  }

  /** All of it. */
  whole() {
    this.#fit(false);
    this.#isMoved = true;
    this.#soon();
  }

  /** Scrolls to a node. */
  show(node) {
    const row = this.#scene?.layout.rows.get(node);
    if (this.#sight === null || row === undefined) return;
    this.#sight = showing(this.#sight, node, row, this.#frame.size, this.#frame.em);
    this.#soon();
  }

  /** The whole tree as an SVG document, legible if the size permits. */
  svg() {
    if (this.#scene === null) return null;
    const { layout } = this.#scene;
    const { em, colours } = this.#frame;
    const sight = fitted(layout, LARGEST, em, false);
    const size = extent(layout, sight, em);
    const ink = new SvgInk(size, colours.paper);
    paint(ink, { ...this.#scene, ...this.#frame, size, sight, focused: false });
    return ink.document();
  }

  #fit(isLegible) {
    this.#sight = fitted(this.#scene.layout, this.#frame.size, this.#frame.em, isLegible);
    this.#isMoved = false;
  }

  #move(sight) {
    this.#sight = held(sight, this.#scene.layout, this.#frame.size, this.#frame.em);
  }

  #repaint() {
    if (this.#scene === null || this.#sight === null) return;
    const ink = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    const sharp = window.devicePixelRatio;
    ink.setTransform(sharp, 0, 0, sharp, 0, 0);
    const drawn = paint(ink, { ...this.#scene, ...this.#frame, sight: this.#sight });
    Object.assign(this.canvas, { drawn }); // the things drawn on it: [{node, x, y, from}]
  }

  #resize({ width, height }) {
    this.canvas.width = Math.round(width * window.devicePixelRatio);
    this.canvas.height = Math.round(height * window.devicePixelRatio);
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
  }

  /** @returns {{node?: any, fold?: any}|null} */
  #at(place) {
    const { tree, layout, upTo } = this.#scene;
    return hit(tree, layout, this.#sight, upTo, place, this.#frame.em);
  }

  /** Pointer and wheel. A drag moves the tree; a click picks. */
  #listen() {
    const { field, deeds } = this;
    /** @type {{x: number, y: number}|null} */
    let from = null; // where the pointer went down
    let isDragged = false;
    const spot = (event) => {
      const box = this.canvas.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    const on = (name, act, options = {}) =>
      field.addEventListener(name, (event) => this.#sight !== null && act(event), options);
    on("pointerdown", (event) => {
      if (event.button === 0) [from, isDragged] = [spot(event), false];
    });
    on("pointermove", (event) => {
      const now = spot(event);
      if (from === null) {
        if (event.pointerType !== "touch") deeds.point(this.#at(now));
      } else if (isDragged || Math.hypot(now.x - from.x, now.y - from.y) > DRAG) {
        if (!isDragged) field.setPointerCapture(event.pointerId);
        isDragged = true;
        this.pan(now.x - from.x, now.y - from.y);
        from = now;
      }
    });
    const release = () => {
      from = null;
    };
    on("pointerup", release);
    on("pointercancel", release);
    on("pointerleave", () => deeds.point(null));
    on("click", (event) => {
      const found = isDragged ? null : this.#at(spot(event));
      if (found?.fold) deeds.fold?.(found.fold);
      else if (found?.node) (deeds.pick ?? deeds.walk)(found.node);
    });
    on("wheel", (event) => this.#roll(event, spot(event)), { passive: false });
  }

  #roll(event, at) {
    const { deltaX, deltaY, shiftKey } = event;
    event.preventDefault();
    if (shiftKey || Math.abs(deltaX) > Math.abs(deltaY)) this.pan(-(deltaX || deltaY), 0);
    else this.zoom(-Math.sign(deltaY) * Math.min(1, Math.abs(deltaY) / 60), at);
  }

  #listenToKeys() {
    const { field, deeds } = this;
    field.addEventListener("focus", () => deeds.focus(true));
    field.addEventListener("blur", () => deeds.focus(false));
    field.addEventListener("keydown", (event) => {
      if (this.#sight === null || event.ctrlKey || event.metaKey || event.altKey) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const { tree, layout, cursor } = deeds.now();
      if (key in ZOOMS) this.zoom(ZOOMS[key]);
      else if (WALKS.test(key)) {
        const next = neighbour(tree, layout, cursor, key);
        if (next) deeds.walk(next);
      } else if (deeds.keys && key in deeds.keys) deeds.keys[key](cursor);
      else return;
      event.preventDefault();
    });
  }
}
