// English words that are one word in different forms: the twin of model/text/english.py, which has
// the explanations. Pure functions.

// The first of each line is the form that the others count as.
const IRREGULAR = `
news
be am is are was were been being
do does did done
have has had
go goes went gone
get got gotten
make made
say said
see saw seen
take took taken
come came
know knew known
think thought
give gave given
find found
tell told
leave left
feel felt
bring brought
begin began begun
keep kept
hold held
write wrote written
stand stood
hear heard
mean meant
meet met
run ran
pay paid
sit sat
speak spoke spoken
lie lay lain
lead led
read reading
grow grew grown
lose lost
fall fell fallen
send sent
build built
understand understood
draw drew drawn
break broke broken
spend spent
drive drove driven
buy bought
wear wore worn
choose chose chosen
eat ate eaten
drink drank drunk
sing sang sung
swim swam swum
sleep slept
fly flew flown
forget forgot forgotten
teach taught
catch caught
fight fought
sell sold
win won
throw threw thrown
ride rode ridden
rise rose risen
steal stole stolen
hide hid hidden
hang hung
die dying
feed fed
shoot shot
wake woke woken
become became
child children
man men
woman women
foot feet
tooth teeth
person people
life lives
wife wives
leaf leaves
i me
he him
she her
we us
they them
a an
`;
/** @type {Map<string, string>} */
const BASES = new Map(
  IRREGULAR.trim()
    .split("\n")
    .flatMap((line) => line.split(" ").map((form) => [form, line.split(" ")[0]])),
);
/** @type {Record<string, string>} */
const CLITICS = {
  "n't": "not",
  "'m": "am",
  "'re": "are",
  "'ve": "have",
  "'ll": "will",
  "'d": "would",
};
const IS = new Set("it that he she what there where who how here this when".split(" "));
const CLITIC = /^(.+?)(n't|'(?:m|re|ve|ll|d|s))$/u;
const ODD = new Map([
  ["can't", "can"],
  ["won't", "will"],
  ["shan't", "shall"],
  ["cannot", "can"],
]);
const ENDINGS = [
  ["ies", "y"],
  ["ied", "y"],
  ["ing", ""],
  ["ed", ""],
  ["es", ""],
  ["s", ""],
];

/** The words in a contraction, in small letters; "you'll" -> "you", "will"; else the word.
 * @param {string} contraction @returns {string[]} */
export function parts(contraction) {
  const word = contraction.replaceAll("’", "'");
  const odd = ODD.get(word);
  if (odd !== undefined) return [odd, "not"];
  const [, first, clitic] = CLITIC.exec(word) ?? [word, word, ""];
  if (clitic === "") return [word];
  if (clitic !== "'s") return [first, CLITICS[clitic]];
  if (first === "let") return [first, "us"];
  return IS.has(first) ? [first, "is"] : [first];
}

/** A key that the forms of a word share. @param {string} word */
export function base(word) {
  const irregular = BASES.get(word);
  if (irregular !== undefined) return withoutE(irregular);
  for (const [ending, instead] of ENDINGS) {
    const stem = stemOf(word, ending);
    if (stem === null) continue;
    const found = stem + instead;
    return withoutE(BASES.get(found) ?? BASES.get(`${found}e`) ?? found);
  }
  return [...word].length > 3 ? withoutE(word) : word;
}

/** The word without an ending, if it is one. @param {string} word @param {string} ending */
function stemOf(word, ending) {
  const stem = withoutEnding(word, ending);
  if (stem === word || [...stem].length < 3 || /(?:ss|us|is)$/.test(word)) return null;
  if (ending === "es" && !/(?:s|x|ch|sh)$/.test(stem)) return null;
  if (ending !== "ing" && ending !== "ed") return stem;
  if (!/[aeiouy]/.test(stem)) return null;
  return stem.at(-1) === stem.at(-2) && !/[sl]$/.test(stem) ? stem.slice(0, -1) : stem;
}

const withoutE = (/** @type {string} */ word) => withoutEnding(word, "e");
const withoutEnding = (/** @type {string} */ word, /** @type {string} */ ending) =>
  word.endsWith(ending) ? word.slice(0, word.length - ending.length) : word;
