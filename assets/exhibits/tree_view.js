// A tree on a canvas that can be dragged, zoomed, pointed at. It keeps its place when new data comes.

import { element, eachFrame } from "../elements.js";
import { coloursOf, paint } from "./tree_paint.js";
import { extent, fitted, held, hit, showing, zoomed } from "./tree_sight.js";

const DRAG = 4; // px that a pointer moves before it drags
const SHARPNESS = 1.5; // pixels of it for one of the page
const LARGEST = { width: 6000, height: 4000 }; // px of the picture that is taken away

const last = new WeakMap(); // canvas -> what is drawn on it

// What stands on a canvas now: [{node, x, y, from}], as it was painted.
export const drawnOn = (canvas) => last.get(canvas) ?? [];

// scene: {tree, layout, upTo, path, cursor, pointed, focused}. `on` may name what to do on
// {point, pick, unfold}; without them the tree is a picture that can be moved. Where it is to be
// `legible`, it begins no smaller than one can read, even if it is not all in sight.
export function createTreeView(root, on = {}, legible = true) {
  const canvas = element("canvas", { class: "hl-tree-canvas", "aria-hidden": "true" });
  root.replaceChildren(canvas);
  let scene = null;
  let sight = null;
  let own = false; // the visitor has moved or zoomed it
  let frame = null; // {size, em, family, colours} of the last drawing

  function draw(next, { refit = false } = {}) {
    const measured = measure(root);
    const resized = frame === null || measured.key !== frame.key;
    const taller = scene !== null && next.layout.height !== scene.layout.height;
    frame = measured;
    scene = next;
    if (frame.size.width === 0 || frame.size.height === 0) return;
    if (sight === null || refit || ((resized || taller) && !own)) fit(legible);
    else sight = held(sight, scene.layout, frame.size, frame.em);
    if (resized) resize(canvas, frame.size);
    repaint();
  }

  function repaint() {
    const ink = canvas.getContext("2d");
    const sharp = window.devicePixelRatio;
    ink.setTransform(sharp, 0, 0, sharp, 0, 0);
    last.set(canvas, paint(ink, { ...scene, ...frame, sight }));
  }
  const soon = eachFrame(() => {
    if (scene !== null && sight !== null) repaint();
  });

  function fit(readable) {
    sight = fitted(scene.layout, frame.size, frame.em, readable);
    own = false;
  }

  function zoom(steps, at = { x: frame.size.width / 2, y: frame.size.height / 2 }) {
    sight = held(zoomed(sight, steps, at, frame.em), scene.layout, frame.size, frame.em);
    own = true;
    soon();
  }

  function show(node) {
    if (sight === null || !scene.layout.rows.has(node)) return;
    sight = showing(sight, node, scene.layout.rows.get(node), frame.size, frame.em);
    soon();
  }

  move(root, canvas, {
    ready: () => scene !== null && sight !== null,
    at: (point) => hit(scene.tree, scene.layout, sight, scene.upTo, point, frame.em),
    pan(dx, dy) {
      sight = held({ ...sight, x: sight.x + dx, y: sight.y + dy }, scene.layout, frame.size, frame.em);
      own = true;
      soon();
    },
    zoom,
  }, on);

  // All of it on a canvas of its own, at a size that can be read as far as it goes.
  function picture() {
    const whole = fitted(scene.layout, LARGEST, frame.em, false);
    const size = extent(scene.layout, whole, frame.em);
    const sheet = element("canvas", { width: size.width * SHARPNESS, height: size.height * SHARPNESS });
    const ink = sheet.getContext("2d");
    ink.scale(SHARPNESS, SHARPNESS);
    paint(ink, { ...scene, ...frame, size, sight: whole, focused: false });
    ink.globalCompositeOperation = "destination-over";
    ink.fillStyle = frame.colours.paper;
    ink.fillRect(0, 0, size.width, size.height);
    return sheet;
  }

  return {
    draw, zoom, show, picture,
    whole() { fit(false); own = true; soon(); },
  };
}

// Pointer and wheel. A drag moves the tree; a click picks.
function move(root, canvas, view, { point, pick, unfold }) {
  let from = null; // where the pointer went down
  let dragged = false;
  const spot = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  root.addEventListener("pointerdown", (event) => {
    if (!view.ready() || event.button !== 0) return;
    from = spot(event);
    dragged = false;
  });
  root.addEventListener("pointermove", (event) => {
    if (!view.ready()) return;
    const now = spot(event);
    if (from !== null && (dragged || Math.hypot(now.x - from.x, now.y - from.y) > DRAG)) {
      if (!dragged) root.setPointerCapture(event.pointerId);
      dragged = true;
      view.pan(now.x - from.x, now.y - from.y);
      from = now;
    } else if (from === null && event.pointerType !== "touch") point?.(view.at(now));
  });
  for (const name of ["pointerup", "pointercancel"]) root.addEventListener(name, () => { from = null; });
  root.addEventListener("pointerleave", () => point?.(null));
  root.addEventListener("click", (event) => {
    const found = view.ready() && !dragged ? view.at(spot(event)) : null;
    if (found?.fold) unfold?.(found.fold);
    else if (found?.node) pick?.(found.node);
  });
  root.addEventListener("wheel", (event) => {
    if (!view.ready()) return;
    event.preventDefault();
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      view.pan(-(event.deltaX || event.deltaY), 0);
    } else view.zoom(-Math.sign(event.deltaY) * Math.min(1, Math.abs(event.deltaY) / 60), spot(event));
  }, { passive: false });
}

function measure(root) {
  const { clientWidth: width, clientHeight: height } = root;
  const { fontSize, fontFamily: family } = getComputedStyle(root);
  const em = parseFloat(fontSize);
  return { size: { width, height }, em, family, colours: coloursOf(root), key: [width, height, em, window.devicePixelRatio].join() };
}

function resize(canvas, { width, height }) {
  canvas.width = Math.round(width * window.devicePixelRatio);
  canvas.height = Math.round(height * window.devicePixelRatio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
}
