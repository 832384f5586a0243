import { type EmailFieldTexts, type FieldMessages, type Validation, type ValidationClient } from '@postern/sdk-browser';
import { type PropType, type SlotsType } from 'vue';
import { type EmailFieldBinding } from './use-email-field.ts';
/**
 * A whole field: label, input, message, suggestion and hidden verdict. With a default slot only its logic: all elements
 * are then the app’s own. Other attributes go to the input.
 */
export declare const EmailField: import("vue").DefineComponent<import("vue").ExtractPropTypes<{
    client: {
        type: PropType<ValidationClient>;
        required: true;
    };
    /** What the field is called, in the form’s language. */
    label: {
        type: StringConstructor;
        default: string;
    };
    required: {
        type: BooleanConstructor;
        default: boolean;
    };
    /** The same elements and class names without any style. */
    unstyled: BooleanConstructor;
    /** For `v-model`. */
    modelValue: {
        type: StringConstructor;
        default: undefined;
    };
    name: {
        type: StringConstructor;
        default: undefined;
    };
    verdictField: {
        type: StringConstructor;
        default: undefined;
    };
    lang: {
        type: StringConstructor;
        default: undefined;
    };
    defaultValue: {
        type: StringConstructor;
        default: undefined;
    };
    debounceMs: {
        type: NumberConstructor;
        default: undefined;
    };
    texts: {
        type: PropType<Partial<EmailFieldTexts>>;
        default: undefined;
    };
    messages: {
        type: PropType<FieldMessages>;
        default: undefined;
    };
}>, () => import("vue").VNode<import("vue").RendererNode, import("vue").RendererElement, {
    [key: string]: any;
}>[] | import("vue").VNode<import("vue").RendererNode, import("vue").RendererElement, {
    [key: string]: any;
}>, {}, {}, {}, import("vue").ComponentOptionsMixin, import("vue").ComponentOptionsMixin, {
    'update:modelValue': (_value: string) => true;
    flag: (_validation: Validation) => true;
}, string, import("vue").PublicProps, Readonly<import("vue").ExtractPropTypes<{
    client: {
        type: PropType<ValidationClient>;
        required: true;
    };
    /** What the field is called, in the form’s language. */
    label: {
        type: StringConstructor;
        default: string;
    };
    required: {
        type: BooleanConstructor;
        default: boolean;
    };
    /** The same elements and class names without any style. */
    unstyled: BooleanConstructor;
    /** For `v-model`. */
    modelValue: {
        type: StringConstructor;
        default: undefined;
    };
    name: {
        type: StringConstructor;
        default: undefined;
    };
    verdictField: {
        type: StringConstructor;
        default: undefined;
    };
    lang: {
        type: StringConstructor;
        default: undefined;
    };
    defaultValue: {
        type: StringConstructor;
        default: undefined;
    };
    debounceMs: {
        type: NumberConstructor;
        default: undefined;
    };
    texts: {
        type: PropType<Partial<EmailFieldTexts>>;
        default: undefined;
    };
    messages: {
        type: PropType<FieldMessages>;
        default: undefined;
    };
}>> & Readonly<{
    onFlag?: (_validation: Validation) => any;
    "onUpdate:modelValue"?: (_value: string) => any;
}>, {
    label: string;
    required: boolean;
    unstyled: boolean;
    modelValue: string;
    name: string;
    verdictField: string;
    lang: string;
    defaultValue: string;
    debounceMs: number;
    texts: Partial<EmailFieldTexts>;
    messages: FieldMessages;
}, SlotsType<{
    default?: EmailFieldBinding;
}>, {}, {}, string, import("vue").ComponentProvideOptions, true, {}, any>;
