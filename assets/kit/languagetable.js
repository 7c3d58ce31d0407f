// Written by python -m model.text.languages, which has the explanations.

/** @typedef {import("./types.js").Language} Language */

// biome-ignore format: as Python writes it
const USUAL =
  {"code": "", "letters": "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff", "shared":
"", "tag": "", "is_spaced": true, "is_wide": false, "dictionary": "", "is_romanised": false,
"quotes": ["\u201c", "\u201d"], "metric": "13a", "common": [], "ending": "", "habits": [],
"numerals": [], "numbered": []};
/** @type {Partial<Language>[]} */ // biome-ignore format: as Python writes it
const ROWS = [
  {"code": "en", "common": ["a", "and", "any", "are", "as", "at", "by", "can", "come", "could",
"did", "didn", "do", "does", "doesn", "don", "for", "friend", "friends", "from", "get", "go",
"going", "good", "has", "have", "he", "hello", "him", "his", "how", "i", "if", "is", "it", "just",
"know", "let", "like", "live", "lives", "make", "me", "mr", "mrs", "my", "of", "on", "or", "our",
"please", "she", "should", "some", "take", "than", "thanks", "that", "the", "there", "they",
"think", "this", "time", "to", "up", "very", "want", "we", "were", "what", "when", "where", "who",
"why", "would", "yes", "you", "your"], "habits": ["^(?:all|hand|her|here|no|not|see|us|will)$",
"c[aour]", "ea", "ght", "oo", "ow", "sh", "th", "wh", "ed$", "ing$", "ous$", "tion$", "y$"],
"numerals": [["zero", 0], ["one", 1], ["two", 2], ["three", 3], ["four", 4], ["five", 5], ["six",
6], ["seven", 7], ["eight", 8], ["nine", 9], ["ten", 10], ["eleven", 11], ["twelve", 12],
["thirteen", 13], ["fourteen", 14], ["fifteen", 15], ["sixteen", 16], ["seventeen", 17],
["eighteen", 18], ["nineteen", 19], ["twenty", 20], ["thirty", 30], ["forty", 40], ["fifty", 50],
["sixty", 60], ["seventy", 70], ["eighty", 80], ["ninety", 90], ["hundred", 100], ["thousand",
1000], ["million", 1000000], ["billion", 1000000000]], "numbered": [["first", 1], ["once", 1],
["january", 1], ["second", 2], ["twice", 2], ["both", 2], ["pair", 2], ["couple", 2], ["february",
2], ["third", 3], ["march", 3], ["april", 4], ["fifth", 5], ["may", 5], ["june", 6], ["july", 7],
["eighth", 8], ["august", 8], ["ninth", 9], ["september", 9], ["october", 10], ["november", 11],
["twelfth", 12], ["december", 12], ["noon", 12], ["midnight", 12], ["dozen", 12], ["quarter", 15],
["quarter", 45], ["half", 30]]},
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
"ie", "sch", "tz", "en$", "ung$"], "numerals": [["null", 0], ["eins", 1], ["ein", 1], ["zwei", 2],
["zwo", 2], ["drei", 3], ["vier", 4], ["f\u00fcnf", 5], ["sechs", 6], ["sieben", 7], ["acht", 8],
["neun", 9], ["zehn", 10], ["elf", 11], ["zw\u00f6lf", 12], ["dreizehn", 13], ["vierzehn", 14],
["f\u00fcnfzehn", 15], ["sechzehn", 16], ["siebzehn", 17], ["achtzehn", 18], ["neunzehn", 19],
["zwanzig", 20], ["drei\u00dfig", 30], ["vierzig", 40], ["f\u00fcnfzig", 50], ["sechzig", 60],
["siebzig", 70], ["achtzig", 80], ["neunzig", 90], ["hundert", 100], ["tausend", 1000],
["million", 1000000], ["millionen", 1000000], ["mio", 1000000], ["milliarde", 1000000000],
["milliarden", 1000000000], ["mrd", 1000000000]], "numbered": [["erste", 1], ["ersten", 1],
["erster", 1], ["erstes", 1], ["einmal", 1], ["januar", 1], ["zweimal", 2], ["beide", 2],
["beiden", 2], ["paar", 2], ["februar", 2], ["dritte", 3], ["dritten", 3], ["dritter", 3],
["drittes", 3], ["dreimal", 3], ["m\u00e4rz", 3], ["april", 4], ["viermal", 4], ["mai", 5],
["f\u00fcnfmal", 5], ["juni", 6], ["juli", 7], ["siebte", 7], ["siebten", 7], ["august", 8],
["achte", 8], ["achten", 8], ["september", 9], ["oktober", 10], ["november", 11], ["dezember",
12], ["mittag", 12], ["mittags", 12], ["mitternacht", 12], ["dutzend", 12], ["viertel", 15],
["viertel", 45], ["halb", 30]]},
  {"code": "ja", "letters": "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9f",
"shared":
"\u3005\u3007\u2e80-\u2fdf\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ud840\udc00-\ud888\udfaf",
"is_spaced": false, "quotes": ["\u300c", "\u300d"], "metric": "char"},
  {"code": "zh", "letters":
"\u3005\u3007\u2e80-\u2fdf\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ud840\udc00-\ud888\udfaf",
"tag": "zh-CN", "is_spaced": false, "is_wide": true, "dictionary": "jieba", "is_romanised": true,
"quotes": ["\u300c", "\u300d"], "metric": "zh", "numerals": [["\u96f6", 0], ["\u3007", 0],
["\u4e00", 1], ["\u4e8c", 2], ["\u4e24", 2], ["\u4e09", 3], ["\u56db", 4], ["\u4e94", 5],
["\u516d", 6], ["\u4e03", 7], ["\u516b", 8], ["\u4e5d", 9], ["\u5341", 10], ["\u767e", 100],
["\u5343", 1000], ["\u4e07", 10000], ["\u4ebf", 100000000]], "numbered": [["\u53cc", 2],
["\u4fe9", 2], ["\u5bf9", 2], ["\u4e2d\u5348", 12], ["\u6b63\u5348", 12], ["\u5348\u591c", 12],
["\u523b", 15], ["\u523b", 45], ["\u534a", 30]]},
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
