import {
  type EmailFieldTexts,
  type FieldMessages,
  styleField,
  type Validation,
  type ValidationClient,
} from '@postern/sdk-browser';
import {
  defineComponent,
  h,
  onMounted,
  type PropType,
  type SlotsType,
  useId,
  useTemplateRef,
  watch,
} from 'vue';
import { type EmailFieldBinding, useEmailField } from './use-email-field.ts';

/**
 * A whole field: label, input, message, suggestion and hidden verdict. With a default slot only its logic: all elements
 * are then the app’s own. Other attributes go to the input.
 */
export const EmailField = defineComponent({
  name: 'EmailField',
  inheritAttrs: false,
  props: {
    client: { type: Object as PropType<ValidationClient>, required: true },
    /** What the field is called, in the form’s language. */
    label: { type: String, default: '' },
    required: { type: Boolean, default: true },
    /** The same elements and class names without any style. */
    unstyled: Boolean,
    /** For `v-model`. */
    modelValue: { type: String, default: undefined },
    name: { type: String, default: undefined },
    verdictField: { type: String, default: undefined },
    lang: { type: String, default: undefined },
    defaultValue: { type: String, default: undefined },
    debounceMs: { type: Number, default: undefined },
    texts: { type: Object as PropType<Partial<EmailFieldTexts>>, default: undefined },
    messages: { type: [Object, Function] as PropType<FieldMessages>, default: undefined },
  },
  emits: {
    'update:modelValue': (_value: string) => true,
    flag: (_validation: Validation) => true,
  },
  slots: Object as SlotsType<{ default?: EmailFieldBinding }>,
  setup(props, { emit, slots, attrs }) {
    const { name, verdictField, lang, defaultValue, debounceMs, texts, messages } = props;
    const field = useEmailField(props.client, {
      ...{ name, verdictField, lang, defaultValue, debounceMs, texts, messages },
      value: props.modelValue,
      onChange: (value) => emit('update:modelValue', value),
      onFlag: (validation) => emit('flag', validation),
    });
    watch(
      () => props.modelValue,
      (value) => value !== undefined && field.takeValue(value),
    );
    const root = useTemplateRef<HTMLElement>('root');
    onMounted(() => {
      if (!props.unstyled && root.value !== null) styleField(root.value.getRootNode());
    });
    const id = useId();
    return () => {
      if (slots.default) return slots.default(field);
      const input = { id, class: 'postern-input', required: props.required, ...attrs, ...field.inputProps };
      // The text may run from right to left in a page that does not.
      return h('div', { ref: 'root', class: 'postern-field', 'data-postern': field.status }, [
        h('label', { class: 'postern-label', for: id }, props.label),
        h('input', input),
        h('input', field.verdictProps),
        h('div', { class: 'postern-help', dir: 'auto' }, [
          h('p', { class: 'postern-message', ...field.messageProps }, field.helpText),
          h('button', { class: 'postern-suggestion', ...field.suggestionProps }, field.acceptText ?? ''),
        ]),
      ]);
    };
  },
});
