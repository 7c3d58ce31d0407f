// Written by python -m model.text.languages, which has the explanations.

/** @typedef {import("./types.js").Language} Language */

// biome-ignore format: as Python writes it
const USUAL =
  {"code": "", "letters": "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff", "shared":
"", "tag": "", "is_spaced": true, "is_wide": false, "dictionary": "", "is_romanised": false,
"quotes": ["\u201c", "\u201d"], "metric": "13a", "common": [], "ending": "", "habits": []};
/** @type {Partial<Language>[]} */ // biome-ignore format: as Python writes it
const ROWS = [
  {"code": "en", "common": ["a", "and", "any", "are", "as", "at", "by", "can", "come", "could",
"did", "didn", "do", "does", "doesn", "don", "for", "friend", "friends", "from", "get", "go",
"going", "good", "has", "have", "he", "hello", "him", "his", "how", "i", "if", "is", "it", "just",
"know", "let", "like", "live", "lives", "make", "me", "mr", "mrs", "my", "of", "on", "or", "our",
"please", "she", "should", "some", "take", "than", "thanks", "that", "the", "there", "they",
"think", "this", "time", "to", "up", "very", "want", "we", "were", "what", "when", "where", "who",
"why", "would", "yes", "you", "your"], "habits": ["^(?:all|hand|her|here|no|not|see|us|will)$",
"c[aour]", "ea", "ght", "oo", "ow", "sh", "th", "wh", "ed$", "ing$", "ous$", "tion$", "y$"]},
  {"code": "de", "quotes": ["\u201e", "\u201c"], "common": ["aber", "alle", "als", "auch", "auf",
"aus", "bist", "bitte", "danke", "das", "dass", "dein", "deine", "dem", "der", "dich", "dieser",
"dir", "diese", "du", "ein", "einem", "einen", "einer", "er", "es", "etwas", "f\u00fcr", "gehen",
"geht", "guten", "haben", "habe", "hallo", "hast", "heute", "ich", "ihm", "ihn", "ihnen", "ihr",
"ihre", "im", "immer", "ist", "ja", "kann", "kein", "keine", "k\u00f6nnen", "mehr", "mein",
"meine", "mich", "mir", "mit", "morgen", "m\u00f6chte", "m\u00fcssen", "nach", "nein", "nicht",
"nichts", "noch", "nur", "oder", "schon", "sch\u00f6n", "sehr", "sein", "sich", "sie", "sind",
"tsch\u00fcss", "und", "uns", "viel", "von", "vor", "warum", "wenn", "wer", "werde", "werden",
"wie", "wir", "wird", "wo", "wurde", "wurden", "zu", "zum", "\u00fcber"], "ending":
"(?<=...)e(?:[mnrs]|[nr][ns])?$|(?<=....)s$", "habits":
["^(?:bin|da|den|die|gut|hat|hier|man|um|war)$", "[\u00e4\u00f6\u00fc\u00df]", "cht", "ei", "ich",
"ie", "sch", "tz", "en$", "ung$"]},
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
