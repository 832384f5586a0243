import * as i0 from '@angular/core';
import { afterNextRender, ElementRef, inject, output } from '@angular/core';
import {
  type EmailFieldTexts,
  type FieldActions,
  type FieldMessages,
  type FieldView,
  styleField,
  type Validation,
  type ValidationClient,
} from '@postern/sdk-browser';
import { injectField } from './connected-field.ts';

let count = 0;

/**
 * `<postern-email-field>`, a whole field: label, input, message, suggestion and hidden verdict. The declarations at the end
 * are what Angular’s compiler writes into a library; the app’s build reads them.
 */
export class EmailField {
  declare client: ValidationClient;
  /** What the field is called, in the form’s language. */
  label = '';
  required = true;
  placeholder = '';
  /** The same elements and class names without any style. */
  unstyled = false;
  name = 'email';
  verdictField = 'postern-verdict';
  lang: string | undefined;
  debounceMs: number | undefined;
  texts: Partial<EmailFieldTexts> | undefined;
  messages: FieldMessages | undefined;
  readonly valueChange: i0.OutputEmitterRef<string> = output<string>();
  readonly flag: i0.OutputEmitterRef<Validation> = output<Validation>();

  protected readonly id: string = `postern-email-${++count}`;
  private readonly field = injectField();
  protected readonly view: i0.Signal<FieldView> = this.field.view;
  private readonly host = inject<ElementRef<HTMLElement>>(ElementRef);
  private appValue = '';

  constructor() {
    afterNextRender(() => {
      const { nativeElement: host } = this.host;
      if (!this.unstyled) styleField(host.getRootNode());
      const { lang, debounceMs, texts, messages, appValue: defaultValue } = this;
      const options = {
        ...{ lang, debounceMs, texts, messages, defaultValue },
        onChange: (value: string) => {
          this.appValue = value;
          this.valueChange.emit(value);
        },
        onFlag: (validation: Validation) => this.flag.emit(validation),
      };
      const [input, verdictInput] = host.querySelectorAll('input');
      if (input && verdictInput) this.field.connect(this.client, options, { input, verdictInput });
    });
  }

  /** For `[(value)]`. */
  set value(value: string | undefined) {
    this.appValue = value ?? '';
    this.field.binding()?.takeValue(this.appValue);
  }

  /** To set, reset or validate the field from outside. */
  get actions(): FieldActions {
    return this.field.actions();
  }

  protected accept(): void {
    this.field.binding()?.acceptSuggestion();
  }

  static readonly ɵfac: i0.ɵɵFactoryDeclaration<EmailField, never> = i0.ɵɵngDeclareFactory({
    minVersion: '12.0.0',
    version: '22.2.5',
    ngImport: i0,
    type: EmailField,
    deps: [],
    target: i0.ɵɵFactoryTarget.Component,
  });
  static readonly ɵcmp: i0.ɵɵComponentDeclaration<
    EmailField,
    'postern-email-field',
    never,
    {
      client: { alias: 'client'; required: true };
      label: { alias: 'label'; required: true };
      required: { alias: 'required'; required: false };
      placeholder: { alias: 'placeholder'; required: false };
      unstyled: { alias: 'unstyled'; required: false };
      name: { alias: 'name'; required: false };
      verdictField: { alias: 'verdictField'; required: false };
      lang: { alias: 'lang'; required: false };
      debounceMs: { alias: 'debounceMs'; required: false };
      texts: { alias: 'texts'; required: false };
      messages: { alias: 'messages'; required: false };
      value: { alias: 'value'; required: false };
    },
    { valueChange: 'valueChange'; flag: 'flag' },
    never,
    never,
    true,
    never
  > = i0.ɵɵngDeclareComponent({
    minVersion: '14.0.0',
    version: '22.2.5',
    type: EmailField,
    isStandalone: true,
    selector: 'postern-email-field',
    inputs: {
      client: 'client',
      label: 'label',
      required: 'required',
      placeholder: 'placeholder',
      unstyled: 'unstyled',
      name: 'name',
      verdictField: 'verdictField',
      lang: 'lang',
      debounceMs: 'debounceMs',
      texts: 'texts',
      messages: 'messages',
      value: 'value',
    },
    outputs: { valueChange: 'valueChange', flag: 'flag' },
    ngImport: i0,
    template: `<div class="postern-field" [attr.data-postern]="view().status">
  <label class="postern-label" [attr.for]="id">{{ label }}</label>
  <input class="postern-input" type="email" autocomplete="email" [id]="id" [attr.name]="name" [required]="required"
    [attr.placeholder]="placeholder || null" [attr.aria-invalid]="view().isInvalid" [attr.aria-busy]="view().isChecking"
    [attr.aria-describedby]="id + '-message'" />
  <input type="hidden" [attr.name]="verdictField" />
  <div class="postern-help" dir="auto">
    <p class="postern-message" role="status" aria-live="polite" [id]="id + '-message'">{{ view().helpText }}</p>
    <button class="postern-suggestion" type="button" [hidden]="view().suggestion === null" (click)="accept()">{{ view().acceptText }}</button>
  </div>
</div>`,
    isInline: true,
    changeDetection: i0.ChangeDetectionStrategy.OnPush,
  });
}
