// The types of what is used of @huggingface/tokenizers, for `tsc --checkJs`.

/** `bpe` is of a BPE, `tokenize` of a unigram, `encode` of a WordPiece model. */
export interface Model {
  tokens_to_ids: Map<string, number>;
  unk_token_id: number | undefined;
  unk_token: string | undefined;
  ignore_merges: boolean;
  bpe(word: string): string[];
  tokenize(word: string): string[];
  encode(words: string[]): string[];
}
export class Tokenizer {
  constructor(file: object, settings: object);
  pre_tokenizer: ((text: string, how: { section_index: number }) => string[]) | null;
  model: Model;
}
