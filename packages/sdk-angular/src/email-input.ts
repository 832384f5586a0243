import * as i0 from '@angular/core';
import { afterNextRender, DestroyRef, ElementRef, inject, output } from '@angular/core';
import type {
  EmailFieldTexts,
  FieldActions,
  FieldMessages,
  FieldView,
  Validation,
  ValidationClient,
} from '@postern/sdk-browser';
import { injectField } from './connected-field.ts';

/**
 * `<input [posternEmail]="client" #email="posternEmail">`: the logic alone, for an input of the app’s own. It puts the hidden
 * verdict after the input. The declarations at the end are what Angular’s compiler writes into a library.
 */
export class EmailInput {
  declare client: ValidationClient;
  verdictField = 'postern-verdict';
  lang: string | undefined;
  debounceMs: number | undefined;
  texts: Partial<EmailFieldTexts> | undefined;
  messages: FieldMessages | undefined;
  readonly flag: i0.OutputEmitterRef<Validation> = output<Validation>();

  private readonly field = injectField();
  /** What to show: `email.view().helpText` in an element with `role="status"`, `acceptText` on a button. */
  readonly view: i0.Signal<FieldView> = this.field.view;

  private readonly input = inject<ElementRef<HTMLInputElement>>(ElementRef).nativeElement;

  constructor() {
    const { input } = this;
    const destroyRef = inject(DestroyRef);
    afterNextRender(() => {
      const verdictInput = document.createElement('input');
      verdictInput.type = 'hidden';
      verdictInput.name = this.verdictField;
      input.after(verdictInput);
      destroyRef.onDestroy(() => verdictInput.remove());
      const { lang, debounceMs, texts, messages } = this;
      const options = {
        ...{ lang, debounceMs, texts, messages },
        onFlag: (validation: Validation) => this.flag.emit(validation),
      };
      this.field.connect(this.client, options, { input, verdictInput });
    });
  }

  /** For the button that takes the suggestion. */
  accept(): void {
    this.field.binding()?.acceptSuggestion();
    // The app’s form library hears of it like of typing.
    this.input.dispatchEvent(new Event('input', { bubbles: true }));
  }

  /** To set, reset or validate the field from outside. */
  get actions(): FieldActions {
    return this.field.actions();
  }

  static readonly ɵfac: i0.ɵɵFactoryDeclaration<EmailInput, never> = i0.ɵɵngDeclareFactory({
    minVersion: '12.0.0',
    version: '22.2.5',
    ngImport: i0,
    type: EmailInput,
    deps: [],
    target: i0.ɵɵFactoryTarget.Directive,
  });
  static readonly ɵdir: i0.ɵɵDirectiveDeclaration<
    EmailInput,
    'input[posternEmail]',
    ['posternEmail'],
    {
      client: { alias: 'posternEmail'; required: true };
      verdictField: { alias: 'verdictField'; required: false };
      lang: { alias: 'lang'; required: false };
      debounceMs: { alias: 'debounceMs'; required: false };
      texts: { alias: 'texts'; required: false };
      messages: { alias: 'messages'; required: false };
    },
    { flag: 'flag' },
    never,
    never,
    true,
    never
  > = i0.ɵɵngDeclareDirective({
    minVersion: '14.0.0',
    version: '22.2.5',
    type: EmailInput,
    isStandalone: true,
    selector: 'input[posternEmail]',
    inputs: {
      client: ['posternEmail', 'client'],
      verdictField: 'verdictField',
      lang: 'lang',
      debounceMs: 'debounceMs',
      texts: 'texts',
      messages: 'messages',
    },
    outputs: { flag: 'flag' },
    host: {
      properties: { 'attr.aria-invalid': 'view().isInvalid', 'attr.aria-busy': 'view().isChecking' },
    },
    exportAs: ['posternEmail'],
    ngImport: i0,
  });
}
