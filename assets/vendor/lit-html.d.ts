// The types of what is used of lit-html, for `tsc --checkJs`.

export type Template = unknown;
export function html(strings: TemplateStringsArray, ...values: unknown[]): Template;
export function svg(strings: TemplateStringsArray, ...values: unknown[]): Template;
export function render(template: Template, root: Element | DocumentFragment): void;
export const nothing: unique symbol;
export function repeat<T>(
  items: Iterable<T>,
  key: (item: T, index: number) => unknown,
  template: (item: T, index: number) => Template,
): Template;
export function live(value: unknown): Template;
export function keyed(key: unknown, template: Template): Template;
export function ref(callback: ((element: any) => void) | { value?: any }): Template;
