// The records that cross between Python and the browser, and what a view is given. Types only.

/**
 * A token as it is shown. explorer/labels.py writes it.
 * @typedef {object} Label
 * @property {number} id
 * @property {string} text what is shown
 * @property {string} piece as the vocabulary spells it
 * @property {"word"|"space"|"byte"|"special"} kind
 * @property {boolean} [joined] it continues the word of the token before it
 * @property {[number, number]} [part] which byte of how many
 * @property {string} [line] the text on one line, where it differs
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

/**
 * The candidates of one step of the search, one place for each.
 * @typedef {object} SearchStep
 * @property {number} count
 * @property {Int32Array} parents
 * @property {Int32Array} ids
 * @property {Float32Array} log_probs
 * @property {Float64Array} totals
 * @property {("pruned"|"kept"|"finished"|"beaten")[]} fates
 * @property {Uint8Array} forced
 */

/** @typedef {{id: number, log_prob: number} & Label} Candidate */

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
 * An explanation as the page holds it: explorer/exchange/payload.py, decoded by kit/payload.js.
 * @typedef {object} Rec
 * @property {string} text
 * @property {string} translation
 * @property {number} seconds
 * @property {any} [asked] the request that it answers, as the page sent it
 * @property {boolean} [recorded] the example that came with the page
 * @property {Record<string, any>} [answers] the questions answered in it
 * @property {{key: string, name: string, device: string, revision: string|null, tokens: number,
 *   vocabulary: number, defaults: Record<string, any>, examples: string[],
 *   codes: string[]}} model
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
 */

/**
 * What is selected, see selection.js.
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

/** A sentence for the visitor: a key of the words, or the sentence in every language. `isWork` says
 * that something is under way, and nothing wrong; `isAway` that this cannot be asked here at all.
 * @typedef {{words: string, values?: object, isWork?: boolean, isAway?: boolean}
 *   |{sentence: Record<string, string>, isWork?: boolean, isAway?: boolean}} Message */

/**
 * What a view is given: the record, what is selected, and the ways to change and to ask.
 * @typedef {object} Page
 * @property {Store<Rec|null>} record
 * @property {Store<Rec|null>} earlier the record before, where the same text was searched otherwise
 * @property {Store<Selection>} selection
 * @property {Store<{row?: number, col?: number, side?: string, index?: number}|null>} hover
 * @property {Store<"light"|"dark">} theme
 * @property {Store<string>} language
 * @property {Store<Map<string, number>|null>} effects "kind.layer.head" -> change of the log-prob
 * @property {Store<{name: string|null, step: number}>} lesson the one that leads over the page
 * @property {Store<Record<string, string>>} choices of all views, see keep.js
 * @property {Store<{adjust: boolean, numbers: boolean, reading: boolean}>} folds which parts of
 *   the views are open; the same in all of them
 * @property {(initial: any, checks: Record<string, (value: any) => boolean>) => Store<any>} keep
 *   a store of the view's own choices: links, reloads and the back button restore what is in
 *   `checks` (keep.js)
 * @property {Store<boolean>} visible whether this view is in sight
 * @property {any} facts the constants of this exhibit (`Exhibit.facts` in Python)
 * @property {any} shared the constants of the page: defaults, limits, examples
 * @property {any} current the last request: text, settings, prefix, interventions, ...
 * @property {(key: string, values?: object) => string} t the words of a key
 * @property {(changes: Partial<Selection>) => void} choose
 * @property {(changes: object) => Promise<Message|null>} explain request an explanation with these
 *   changes; gives null, or the message where it was refused
 * @property {Store<{record: Rec, holds: boolean, at: number, known: any, seen?: number}|null>} proved
 *   what the browser's own run of the model said, of which record, when, and with which answers
 * @property {Store<{of: Map<string, {role: string, strength: number, row_label: string}>,
 *   sentences: number, few: boolean}|null>} roles what each head of the model does, by its name
 * @property {WeakMap<object, {question: string, args: any, payload: any}[]>} answers of Python, by the
 *   record that they are about
 * @property {any} again what runs the model once more here (shell/again.js); null where nothing does
 * @property {(head: {kind: string, layer: number, head: number}) => string} fitting the names of the
 *   decoder's rows, "writes" or "reads", that fit a head
 * @property {(view: string) => (() => void)|null} opener shows the sentence that was measured to
 *   show what a view is about, with its settings; null where there is none
 * @property {(question: string, args?: object, record?: Rec) => Promise<any>} ask
 * @property {(name: string, args?: object) => Promise<any>} call a light question that needs no
 *   model, beside the queue (explorer/calls.py)
 * @property {(message: Message|null) => void} say writes the line under the input
 * @property {string} uid unique to this view, for names of radio groups and ids
 * @property {AbortSignal} signal aborted when the view is taken down
 */

export {};
