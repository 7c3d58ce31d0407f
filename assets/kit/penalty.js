// The length penalty, the twin of DecodeConfig.penalty in model/config.py, so that a slider over
// alpha need not wait. Pure functions.

/** The base of the power alpha: the length, or Wu et al. 2016, equation 14 ("gnmt").
 * @param {string} form @param {number} length in tokens, including the end */
export const penaltyBase = (form, length) => (form === "average" ? length : (5 + length) / 6);

/** The divisor of a text's sum of log-probs.
 * @param {string} form @param {number} alpha @param {number} length */
export const penaltyOf = (form, alpha, length) => penaltyBase(form, length) ** alpha;
