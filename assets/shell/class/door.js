// How to join: the link, the code and the QR code, large enough for the last row.

import { html, nothing } from "../../vendor/lit-html.js";
import { page } from "../state.js";
import { qrCode } from "./qr.js";
import { now } from "./stay.js";

const SELF = /^(localhost|127\.[\d.]+|\[::1\])$/; // addresses that lead nowhere from a phone
const QUIET = 4; // cells of paper around a QR code

const plainAddress = () => window.location.origin + window.location.pathname;

/** Finds the address under which phones reach this page. @param {import("./stay.js").Line} line */
export async function findWay(line) {
  now.merge({ base: plainAddress() });
  if (!SELF.test(window.location.hostname)) return;
  const { addresses } = await line("addresses", {}).catch(() => ({ addresses: null }));
  if (addresses === null) return;
  const open = addresses.find((/** @type {any} */ one) => one.open);
  if (open === undefined)
    return now.merge({ hosts: addresses.map((/** @type {any} */ one) => one.host) });
  const base = new URL(plainAddress());
  base.hostname = open.host;
  now.merge({ base: base.href });
}

/** @param {import("./stay.js").Now} shown */
export function door({ pass, base, hosts }) {
  const link = `${base}?class=${pass?.code}`;
  const whole = `${link}&lang=${page.language.get()}`; // the lessons of another language differ
  const rows = hosts === null ? qrCode(whole) : []; // a code that leads nowhere is not shown
  return html`<div class="hl-class-door">
    <div>
      ${hosts === null ? html`<p>${page.t("class.open")}</p>` : nothing}
      <p><a href=${whole} target="_blank" rel="noopener">${link}</a></p>
      <p class="hl-class-code" aria-hidden="true">${pass?.code}</p>
      ${hosts === null ? nothing : html`<p role="alert">${page.t("class.alone")}</p>`}
      ${hosts?.length ? html`<p>${hostsText(hosts)}</p>` : nothing}
    </div>
    ${rows === null ? html`<p>${page.t("class.wide")}</p>` : nothing}
    ${rows?.length ? picture(rows) : nothing}
  </div>`;
}

const hostsText = (/** @type {string[]} */ hosts) =>
  page.t("class.alone.hosts", { hosts: hosts.join(", ") });

/** @param {boolean[][]} rows */
function picture(rows) {
  const size = rows.length + 2 * QUIET;
  const cell = (/** @type {boolean} */ isDark, /** @type {number} */ x, /** @type {number} */ y) =>
    isDark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "";
  const path = rows.flatMap((row, y) => row.map((isDark, x) => cell(isDark, x, y))).join("");
  return html`<svg class="hl-class-qr" viewBox="0 0 ${size} ${size}" role="img"
    shape-rendering="crispEdges" aria-label=${page.t("class.qr")}><path d=${path}></path></svg>`;
}
