// The records sent between Python and the browser, and a view's page. Types only.

/**
 * What a token stands for in the other language, which may be nothing, the share of it where the
 * model aligned the token, and how a Chinese token is spoken.
 * @typedef {[string, number, string?, ("source"|"target")?]} Gloss
 */

/**
 * A displayed token, from explorer/labels.py.
 * @typedef {object} Label
 * @property {number} id
 * @property {string} text the displayed text
 * @property {string} piece as the vocabulary spells it
 * @property {"word"|"space"|"byte"|"special"} kind
 * @property {boolean} [joined] it continues the word of the token before it
 * @property {[number, number]} [part] which byte of how many
 * @property {string} [line] the text on one line, if different
 * @property {Gloss} [gloss] if it has one
 */

/**
 * The attention maps of one kind. NaN in `head(...)` is a cell that the mask forbids.
 * @typedef {object} Maps
 * @property {number} layers
 * @property {number} heads
 * @property {number} queries
 * @property {number} keys
 * @property {number[]} allowed indices of the cells that may be read
 * @property {(layer: number, head: number) => Float32Array} head row by row
 */

/** @typedef {"pruned"|"kept"|"finished"|"beaten"} Fate of a candidate */

/**
 * The candidates of one step of the search, one entry for each.
 * @typedef {object} SearchStep
 * @property {number} count
 * @property {Int32Array} parents
 * @property {Int32Array} ids
 * @property {Float32Array} log_probs
 * @property {Float64Array} totals
 * @property {Fate[]} fates
 * @property {Uint8Array} forced
 * @property {{parent: number, id: number, log_prob: number, rule: string}[]} forbidden
 */

/** @typedef {{id: number, log_prob: number} & Label} Candidate */

/** An event of a control. @typedef {Event & {target: HTMLInputElement}} Typed */

/**
 * @typedef {object} Hypothesis
 * @property {string} text
 * @property {number} score after length normalisation
 * @property {number} log_prob
 * @property {number} length
 * @property {boolean} finished
 * @property {number[]} path
 */

/**
 * An answer of Python with what was asked, by which view, and the text and model that it is shown
 * with: no text if it is about the model alone. `payload` is null for an old one.
 * @typedef {{request: any, question: string, args: any, view: string, text: string|null,
 *   model: string, payload: any}} Asked
 */

/** A word of the source, and where it is, in characters.
 * @typedef {{text: string, begin: number, end: number}} Lost */

/** Those that a translation by one model may lack, as `model`, that of the way back, reads it.
 * @typedef {{text: string, translation: string, by: string, model: string, words: Lost[]}}
 *   LostWords */

/** The sentences behind the scores of a model's card. @typedef {{name: string, sentences: number}}
 *   HeldOut */

/** @typedef {{name: string, value: number|boolean|string, tokens?: Label[]}} Rule */

/**
 * The reasons to doubt a translation, from model/labs/doubt.py.
 * @typedef {{reasons: string[], signs: Record<string, number>, missing: string[],
 *   added: string[], thresholds: Record<string, number>}} Doubt
 */

/**
 * The page's explanation: explorer/exchange/payload.py, decoded by kit/payload.js.
 * @typedef {object} Rec
 * @property {string} text
 * @property {string} translation
 * @property {number} seconds
 * @property {any} [asked] the page's request that it answers
 * @property {boolean} [recorded] the example that came with the page
 * @property {Record<string, any>} [answers] the answers to questions in it
 * @property {{key: string, name: string, device: string, revision: string|null, tokens: number,
 *   vocabulary: number, glossed: number, defaults: Record<string, any>, examples: string[],
 *   pace?: {seconds: number, token: number},
 *   codes: string[], beams?: number,
 *   notes?: [string, Record<string, any>][], languages?: {source: string|null, target: string|null},
 *   positions?: "relative"|"none", unscaled?: boolean, weights?: string,
 *   training: {shares: number[], updates: number|null}}} model
 * @property {Record<string, any>} settings
 * @property {Record<string, any>} interventions
 * @property {number[]} prefix
 * @property {number} shown which hypothesis
 * @property {[number, number]|null} node
 * @property {number[]} path
 * @property {Label[]} src
 * @property {Label[]} tgt_in
 * @property {Label[]} tgt_out
 * @property {Record<string, Maps>} attention
 * @property {{top: Candidate[], chosen: number, log_prob: number, entropy: number,
 *   forced: boolean}[]} steps
 * @property {{steps: SearchStep[], labels: Record<string, Label>}} search
 * @property {Hypothesis[]} hypotheses
 * @property {Rule[]} [rules] of the checkpoint for decoding, off or not
 * @property {Doubt|null} [doubt]
 * @property {Part[]} [parts] in a request for a record: those wanted
 * @property {number} [longest] in a request: the tokens after which the translation ends
 */

/** What a record may be asked for without. @typedef {"attention"|"steps"|"search"|"doubt"} Part */

/** A record with some of its parts: to read another one is an error, here and when it runs.
 * @template {Part} P
 * @typedef {Omit<Rec, Part> & Pick<Rec, P>} Partly */

/**
 * The selection, see selection.js.
 * @typedef {object} Selection
 * @property {string} exhibit
 * @property {string} kind
 * @property {number} layer
 * @property {number} head
 * @property {number} row
 * @property {number|null} col
 * @property {number} src
 * @property {number} step
 * @property {"writes"|"reads"} labels
 */

/**
 * @template T
 * @typedef {object} Store
 * @property {() => T} get
 * @property {(next: T) => void} set
 * @property {(changes: Partial<T>) => void} merge
 * @property {(watcher: (value: T) => void) => (() => void)} watch calls now and after each change
 */

/**
 * What a finding is about: a source token, a step, or neither. A `step` that is left out is the
 * chosen one, null none. `offset` 0: the token that the step has read, not the one that it writes.
 * `weights` on the source tokens: undefined for those of the chosen head, null for none.
 * @typedef {{src?: number|null, step?: number|null, offset?: 0|1,
 *   weights?: ArrayLike<number>|null, record?: Rec}} Cell
 */

/** The current lesson and its step. @typedef {{name: string|null, step: number}} Lesson */

/** A sentence for the visitor: a key of the words, or the sentence in every language. `isWork` means
 * that work is in progress (`asked` is the request), `isNote` that something is told, and nothing is
 * wrong; `isAway` that the question cannot be answered here.
 * @typedef {{words: string, values?: object, isWork?: boolean, isNote?: boolean, isAway?: boolean}
 *   |{sentence: Record<string, string>, isWork?: boolean, isNote?: boolean, isAway?: boolean,
 *   asked?: any}} Message */

/**
 * The model run again in the browser, of a server's record (shell/rerun.js).
 * @typedef {object} Again
 * @property {string[]} compared the questions of views that it can answer
 * @property {(record: Rec) => boolean} isOpen true if the weights are loaded
 * @property {(record: Rec) => Promise<Weights>} measure the size of the weights and their SHA-256,
 *   as announced; fails with the server's sentence where there are none
 * @property {(record: Rec, tell: (progress: Progress) => void, signal: AbortSignal) => Promise<Run>}
 *   run
 * @property {(key: string, args: {texts: string[], of?: string},
 *   tell: (progress: Progress) => void, signal: AbortSignal) => Promise<
 *   {lines: (import("./readersline.js").Line|null)[], lost?: Lost[]}|null>} lines the reader's
 *   lines of texts by another model, and the words that the first one lost of a source; null if its
 *   weights are not here
 *
 * @typedef {{bytes: number, sha256: string, isShipped: boolean}} Weights
 *
 * Bytes loaded, or the step of the search.
 * @typedef {{loaded?: number, step?: number}} Progress
 *
 * The browser's own record, the steps with equal candidates, whether the tokens are the page's, the
 * SHA-256 of its weights, its answer to a view's question (null if that needs the tokens of another
 * text), and its own version of another record that answers `asked`.
 * @typedef {{own: Rec, ties: number[], isGiven: boolean, sha256: string,
 *   ask: (request: any, question: string, args: object) => Promise<unknown>,
 *   repeat: (record: Rec) => Promise<Rec|{refused: string}|null>}} Run
 */

/** A text in every language: {en, zh}. @typedef {Record<string, string>} Texts */

/**
 * A step of a lesson, see docs/lesson.md; `show` is the query that sets up the page.
 * @typedef {{title: Texts, told: Texts[], show: string, look?: string, then?: string, see?: string,
 *   asks: boolean, predict: Texts[], reveal: Texts[], why: Texts[]}} LessonStep
 *
 * A lesson as it was written.
 * @typedef {{name: string, title: Texts, minutes: number, learn: Texts, steps: LessonStep[]}}
 *   LessonPlan
 *
 * The model's answer to a step's question: what can be chosen, with the number that decides, or its
 * old and new value; the place of the right one; how far it is ahead.
 * @typedef {{options: {label: Texts, value: number, shown: string, change: number[]|null}[],
 *   right: number, margin: number}} LessonReply
 */

/**
 * What is special to a language: see `Language` of model/text/languages.py.
 * @typedef {{code: string, letters: string, shared: string, tag: string, is_spaced: boolean,
 *   quotes: [string, string], metric: string, ending: string, is_romanised: boolean,
 *   is_wide: boolean, dictionary: string, common: string[],
 *   habits: string[], numerals: [string, number][], factors: string[],
 *   numbered: [string, number][], light: string[], endings: string[], prefixes: string[],
 *   is_compounding: boolean}} Language
 */

/**
 * The constants that Python and the browser share, see explorer/facts.py.
 * @typedef {{models: {key: string, name: string, openers: any,
 *     head: (import("./heads.js").Head & Pick<Selection, "labels">)|null, pair: string,
 *     weights: {bytes: number, sha256: string}|null, card: string|null, recorded: string|null,
 *     examples: {text: string, shows: string}[]}[],
 *   readers: Record<string, string>, lines: number,
 *   opens: Record<string, string>, lessons: Record<string, string>,
 *   exhibits: {name: string, saved: boolean, questions: string[], header: string[]}[],
 *   away: Record<string, string>, compared: string[],
 *   ranges: Record<string, [number, number]>,
 *   defaults: Record<string, any>, constants: Record<string, any>, places: string[],
 *   aliases: Record<string, [string, Record<string, string>]>,
 *   interventions: import("./interventions.js").Facts,
 *   forms: string[], trained: string, first: string} & Record<string, any>} Shared
 */

/**
 * The argument of a view: the record, the selection, and functions for changes and questions.
 * @typedef {object} Page
 * @property {Store<Rec|null>} record
 * @property {Store<Rec|null>} earlier the previous record, if it is a different search of the same
 * text
 * @property {Store<Selection>} selection
 * @property {Store<{row?: number, col?: number, side?: string, index?: number}|null>} hover
 * @property {Store<"light"|"dark">} theme
 * @property {Store<string>} language
 * @property {Store<boolean>} gloss whether tokens show what they stand for (gloss.js)
 * @property {Store<boolean>} lined whether texts have the reader's line (readersline.js)
 * @property {Store<Record<string, import("./readersline.js").Line|null>>} lines those that are here,
 *   by their keys; null: there is none
 * @property {Store<LostWords|null>} lost the words of the source that the translation may lack; null:
 *   not asked
 * @property {Store<boolean>} fetched whether the browser may fetch the model that writes them
 * @property {(model: string, text: string) => void} wantLine asks for the line of a text
 * @property {Store<Map<string, number>|null>} effects "kind.layer.head" -> change of the log-prob
 * @property {Store<Lesson>} lesson
 * @property {Store<Record<string, string>>} choices of all views, see keep.js
 * @property {Store<{adjust: boolean, numbers: boolean, reading: boolean}>} folds which parts of
 *   the view on the page are open; another view begins with none
 * @property {Set<import("./keep.js").Ending>} endings the choices that a new record ends
 * @property {{selection: Partial<Selection>, choices: Record<string, string>|null}} expected what
 *   the answer that is awaited will begin with: the selection of its link or of its presses so far,
 *   and the choices at the time of the visitor's request; null if a link or a lesson makes it
 * @property {import("./selection.js").Chosen} chosen what the visitor or a link chose; the rest of
 *   the selection is the page's own
 * @property {Store<Cell|null>} cell what the finding of the view on the page is about
 * @property {(initial: any, checks: Record<string, (value: any) => boolean>,
 *   ends?: import("./keep.js").Ends) => Store<any>} keep
 *   a store of the view's own choices: links, reloads and the back button restore what is in
 *   `checks` (keep.js)
 * @property {Store<boolean>} visible true if this view is visible
 * @property {any} facts the constants of this exhibit (`Exhibit.facts` in Python)
 * @property {Shared} shared
 * @property {any} current the last request: text, settings, prefix, interventions, ...
 * @property {(key: string, values?: object) => string} t the words of a key
 * @property {(changes: Partial<Selection>) => void} choose
 * @property {(changes: object, opening?: Partial<Selection>) => Promise<Message|null>} explain
 *   request an explanation with these changes; resolves to null, or to the message if refused.
 *   `opening`: the selection of a link or lesson, whose choices last
 * @property {Store<{record: Rec, holds: boolean, at: number, answers: Map<Asked, boolean>,
 *   lines: string[], isLostProved: boolean, seen?: number}|null>} proved the result of the
 *   browser's own run: its record and time, whether each answer that was compared is the same, the
 *   keys of the reader's lines that were, and whether the lost words were
 * @property {Store<{of: Map<string, {role: string, strength: number, row_label: string}>,
 *   sentences: number, few: {done: number, all: number, is_over: boolean,
 *   skipped: {text: string, why: Texts}[]}|null}|null>} roles the role of each head of the model, by
 *   its name
 * @property {Map<string, Asked>} answers Python's answers to the views, by what was asked
 * @property {Store<number>} kept how many answers were put there so far
 * @property {Again|null} again null if not available
 * @property {string[]} used the keys of the models that were on the page, the last one first
 * @property {(head: import("./heads.js").Head) => Selection["labels"]} fitting the labels of
 * the decoder's rows, "writes" or "reads", that fit a head
 * @property {(view: string, stays?: string[]) => (() => void)|null} opener shows the sentence chosen by measurement
 * for a view, with its settings; null if there is none
 * @property {(question: string, args?: object, record?: Rec|Rec[]|null, view?: string,
 *   isShown?: () => boolean) => Promise<any>} ask `isShown` tells whether a record is still needed
 * @property {(name: string, args?: object) => Promise<any>} call a quick question that needs no
 * model and bypasses the queue (explorer/calls.py)
 * @property {(message: Message|null) => void} say writes the line under the input
 * @property {string} uid unique to this view, for names of radio groups and ids
 * @property {AbortSignal} signal aborted when the view is taken down
 */

/**
 * The page itself, of which each view gets its own; only that has `keep`, `visible`, `facts`,
 * `uid` and `signal`.
 * @typedef {Page & {words: Record<string, Record<string, string>>, message: Store<Message|null>,
 *   namesFor: (head: import("./heads.js").Head) => Partial<Selection>}} Whole
 */

export {};
