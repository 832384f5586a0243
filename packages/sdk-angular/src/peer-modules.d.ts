// The parts of Angular that are used here, copied from its published types. Its own tools are 240 MB, so it is installed only by
// `scripts/try-frameworks.mjs`, which compiles this package’s types against the real ones.
declare module '@angular/core' {
  export type Signal<T> = () => T;
  export interface WritableSignal<T> extends Signal<T> {
    set(value: T): void;
    asReadonly(): Signal<T>;
  }
  export function signal<T>(value: T): WritableSignal<T>;
  export interface OutputEmitterRef<T> {
    emit(value: T): void;
    subscribe(listener: (value: T) => void): { unsubscribe(): void };
  }
  export function output<T>(): OutputEmitterRef<T>;
  export abstract class DestroyRef {
    abstract onDestroy(listener: () => void): () => void;
  }
  export class ElementRef<T = unknown> {
    nativeElement: T;
  }
  export function inject<T>(token: abstract new (...args: never[]) => T): T;
  export function afterNextRender(callback: () => void): unknown;

  export const ChangeDetectionStrategy: { readonly OnPush: unknown };
  export const ɵɵFactoryTarget: { readonly Component: unknown; readonly Directive: unknown };
  type InputMap = Record<string, { alias: string; required: boolean }>;
  export interface ɵɵFactoryDeclaration<T, _Deps> {
    readonly of?: T;
  }
  export interface ɵɵComponentDeclaration<
    T,
    _Selector extends string,
    _ExportAs,
    _Inputs extends InputMap,
    _Outputs extends Record<string, string>,
    _Queries,
    _Content,
    _Standalone extends boolean,
    _HostDirectives,
  > {
    readonly of?: T;
  }
  export interface ɵɵDirectiveDeclaration<
    T,
    _Selector extends string,
    _ExportAs,
    _Inputs extends InputMap,
    _Outputs extends Record<string, string>,
    _Queries,
    _Content,
    _Standalone extends boolean,
    _HostDirectives,
  > {
    readonly of?: T;
  }
  export function ɵɵngDeclareFactory(declaration: object): object;
  export function ɵɵngDeclareComponent(declaration: object): object;
  export function ɵɵngDeclareDirective(declaration: object): object;
}
