import { type Attached, attach } from './attach.ts';
import type { ValidationClient } from './core.ts';

/**
 * Defines `<postern-email>`, which protects the form of the email field inside it, in every framework and whenever the
 * form appears: `<postern-email><label>Email <input type="email" name="email"></label></postern-email>`. It reads the
 * attributes `verdict-field`, `malformed` and `lang`.
 */
export function defineEmailElement(client: ValidationClient, name = 'postern-email'): void {
  // On a server, where pages are only rendered, there are no elements.
  if (typeof customElements === 'undefined' || customElements.get(name) !== undefined) return;
  customElements.define(
    name,
    class extends HTMLElement {
      #attached: Attached | undefined;
      #input: HTMLInputElement | null = null;
      /** The parser and frameworks add the children later, and some replace them. */
      readonly #watcher: MutationObserver = new MutationObserver(() => this.#update());

      connectedCallback(): void {
        this.#watcher.observe(this, { childList: true, subtree: true });
        this.#update();
      }

      disconnectedCallback(): void {
        this.#watcher.disconnect();
        this.#end();
      }

      #update(): void {
        const input = this.querySelector<HTMLInputElement>('input:not([type=hidden])');
        if (input === this.#input && this.#attached !== undefined) return;
        this.#end();
        if (!input?.form) return;
        this.#input = input;
        const malformed = this.getAttribute('malformed');
        this.#attached = attach(client, input.form, {
          field: input,
          messageContainer: this,
          verdictField: this.getAttribute('verdict-field') ?? undefined,
          ...(this.lang !== '' && { lang: this.lang }),
          ...(malformed !== null && { texts: { malformed } }),
        });
      }

      #end(): void {
        this.#attached?.detach();
        this.#attached = undefined;
        this.#input = null;
      }
    },
  );
}
