// Written by python -m model.text.languages, which has the explanations.

/** @typedef {import("./types.js").Language} Language */

// biome-ignore format: as Python writes it
const USUAL =
  {"code": "", "letters": "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff", "shared":
"", "tag": "", "is_spaced": true, "is_wide": false, "dictionary": "", "is_romanised": false,
"quotes": ["\u201c", "\u201d"], "metric": "13a", "common": [], "ending": ""};
/** @type {Partial<Language>[]} */ // biome-ignore format: as Python writes it
const ROWS = [
  {"code": "en", "common": ["the", "is", "and", "he", "you"]},
  {"code": "de", "quotes": ["\u201e", "\u201c"], "common": ["der", "ist", "und", "er", "nicht",
"das"], "ending": "(?<=...)e(?:[mnrs]|[nr][ns])?$|(?<=....)s$"},
  {"code": "ja", "letters": "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9f",
"shared":
"\u3005\u3007\u2e80-\u2fdf\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ud840\udc00-\ud888\udfaf",
"is_spaced": false, "quotes": ["\u300c", "\u300d"], "metric": "char"},
  {"code": "zh", "letters":
"\u3005\u3007\u2e80-\u2fdf\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ud840\udc00-\ud888\udfaf",
"tag": "zh-CN", "is_spaced": false, "is_wide": true, "dictionary": "jieba", "is_romanised": true,
"quotes": ["\u300c", "\u300d"], "metric": "zh"},
  {"code": "th", "letters": "\u0e01-\u0e4e", "is_spaced": false, "metric": "char"},
  {"code": "lo", "letters": "\u0e81-\u0ece\u0edc-\u0edf", "is_spaced": false, "metric": "char"},
  {"code": "km", "letters": "\u1780-\u17d3", "is_spaced": false, "metric": "char"},
  {"code": "my", "letters": "\u1000-\u109f", "is_spaced": false, "metric": "char"},
  {"code": "bo", "letters": "\u0f00-\u0fbc", "is_spaced": false, "metric": "char"},
  {"code": "ko", "letters": "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3", "metric": "ko-mecab"},
  {"code": "he", "letters": "\u05d0-\u05ea", "quotes": ["\u201d", "\u201d"]},
  {"code": "el", "letters": "\u0370-\u0373\u0376-\u03ff\u1f00-\u1fff", "quotes": ["\u00ab",
"\u00bb"]},
  {"code": "hi", "letters": "\u0900-\u0963\u0970-\u097f"},
  {"code": "ru", "letters": "\u0400-\u052f", "quotes": ["\u00ab", "\u00bb"]},
  {"code": "uk", "letters": "\u0400-\u052f", "quotes": ["\u00ab", "\u00bb"]},
  {"code": "bg", "letters": "\u0400-\u052f", "quotes": ["\u201e", "\u201c"]},
  {"code": "mk", "letters": "\u0400-\u052f", "quotes": ["\u201e", "\u201c"]},
  {"code": "sr", "letters": "\u0400-\u052f", "quotes": ["\u201e", "\u201c"]},
  {"code": "ar", "letters": "\u0620-\u064a\u066e-\u06d3\u06fa-\u06ff", "quotes": ["\u00ab",
"\u00bb"]},
  {"code": "fa", "letters": "\u0620-\u064a\u066e-\u06d3\u06fa-\u06ff", "quotes": ["\u00ab",
"\u00bb"]},
  {"code": "ur", "letters": "\u0620-\u064a\u066e-\u06d3\u06fa-\u06ff", "quotes": ["\u00ab",
"\u00bb"]},
];

/** By their codes. @type {Record<string, Language>} */
export const LANGUAGES = Object.fromEntries(
  ROWS.map((row) => [row.code, { ...USUAL, tag: row.code, ...row }]),
);
