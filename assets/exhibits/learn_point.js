// How a point of the training is called.

import { t } from "../words.js";

// "31 % of the training"; the two ends have names.
export function pointName(share) {
  if (share === 0) return t("learn.random");
  return share === 1 ? t("learn.trained") : t("learn.share", { percent: Math.round(share * 100) });
}
