// The length penalty, as DecodeConfig.penalty of model/config.py has it: here because a slider over
// alpha must not wait. Pure functions.

/** What is raised to alpha: the length, or Wu et al. 2016, equation 14 ("gnmt").
 * @param {string} form @param {number} length in tokens, the end token too */
export const penaltyBase = (form, length) => (form === "average" ? length : (5 + length) / 6);

/** What the sum of log-probs of a text is divided by.
 * @param {string} form @param {number} alpha @param {number} length */
export const penaltyOf = (form, alpha, length) => penaltyBase(form, length) ** alpha;
