// Opens a lesson that was saved as one file: the published page, whose model is in the document.
// explorer/onefile.py writes it.

import { serve } from "../engine/answering.js";
import { openChannels, unloaded } from "./engine.js";
import { mountAll } from "./start.js";
import { page } from "./state.js";
import { wordsIn } from "./words.js";

const ASSETS = "headlight/"; // what the names of the scripts begin with, see explorer/saved.py

const jsonIn = (/** @type {string} */ id) =>
  JSON.parse(/** @type {HTMLElement} */ (document.getElementById(id)).textContent ?? "");
const facts = jsonIn("headlight-facts");
page.words = wordsIn(jsonIn("headlight-words"));
Object.assign(page.shared, facts);

/** The address of each file of the model. @returns {Promise<Record<string, string>>} */
async function addresses() {
  const elements = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-file]")]);
  const found = elements.map(async (element) => {
    const content = await fetch(`data:application/octet-stream;base64,${element.textContent}`);
    return [element.dataset.file, URL.createObjectURL(await content.blob())];
  });
  return Object.fromEntries(await Promise.all(found));
}

/** The engine, in this page: one that was opened from a disk may begin no worker. */
async function connect() {
  const { port1, port2 } = new MessageChannel();
  serve(port2);
  openChannels(port1, facts, { [facts.models[0].key]: await addresses() });
}

mountAll(facts, ASSETS);
connect().catch(unloaded);
