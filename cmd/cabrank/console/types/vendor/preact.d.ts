// htm with Preact, as static/vendor/preact.js has them: what the console uses.

/** What can be shown: elements, texts, and nothing. */
export type Shown = Element_ | string | number | boolean | null | undefined | Shown[];
interface Element_ { type: unknown; props: object; key: unknown }

/** A value in a template. A function written there is a handler, most often that of an input. */
type Value = Shown | object | ((e: Event & { readonly target: HTMLInputElement; readonly currentTarget: HTMLElement }) => unknown);

export function html(strings: TemplateStringsArray, ...values: Value[]): Element_;
export function render(what: Shown, into: Element | null): void;

export interface Ref<T> { current: T }
export function useRef<T>(first: T): Ref<T>;
export function useRef<T = HTMLElement>(): Ref<T>;

type Next<T> = T | ((old: T) => T);
export function useState<T>(first: T | (() => T)): [T, (next: Next<T>) => void];
export function useMemo<T>(make: () => T, inputs: unknown[]): T;
export function useEffect(run: () => unknown, inputs?: unknown[]): void;
export function useLayoutEffect(run: () => unknown, inputs?: unknown[]): void;
export function useErrorBoundary(tell: (err: Error) => void): [Error | undefined];
