/** What a field of a project or of its policy can be. The fields themselves are in project-fields.ts. */
import type { CheckActions, CheckName } from './checks.ts';
import type { LanguageTag } from './languages/language-tags.ts';
import type { ListEntry } from './lists.ts';
import type { SignalActions } from './signals.ts';

/** A project's own messages, by language and check. What is missing keeps its usual text. */
export type ProjectMessages = {
  readonly [Tag in LanguageTag]?: Readonly<Partial<Record<CheckName, string>>>;
};

interface FieldText {
  /** What the form calls it; error messages start with it. */
  readonly label: string;
  /** One or two sentences below the form's field and in the docs. */
  readonly help: string;
  /** The command line's option, without the dashes. */
  readonly option: string;
  readonly optionHelp: string;
  /** Only an admin of all projects sets it: it is what the project may cost its operator. */
  readonly operatorOnly?: true;
}

/** A whole number. `null` is possible when it is the default. */
export interface CountField extends FieldText {
  readonly kind: 'count';
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  readonly default: number | null;
  /** What the command line takes for `null`. */
  readonly nullWord?: string;
}

interface ChoiceField extends FieldText {
  readonly kind: 'choice';
  readonly values: readonly string[];
  readonly default: string;
}

interface NameField extends FieldText {
  readonly kind: 'name';
  readonly maxLength: number;
}

/** One of the plans that the service's configuration names. */
interface PlanField extends FieldText {
  readonly kind: 'plan';
}

interface DomainsField extends FieldText {
  readonly kind: 'domains';
  readonly maxEntries: number;
  readonly default: readonly string[];
}

export interface ListField extends FieldText {
  readonly kind: 'list';
  readonly maxEntries: number;
  /** Its entries can flag instead of block. */
  readonly flags?: true;
  readonly default: readonly ListEntry[];
}

interface ActionsField extends FieldText {
  readonly kind: 'actions';
  readonly default: CheckActions;
}

/** What signals that fail no check do. */
interface SignalsField extends FieldText {
  readonly kind: 'signals';
  readonly default: SignalActions;
}

/** Messages that replace the built-in ones. */
interface MessagesField extends FieldText {
  readonly kind: 'messages';
  readonly maxLength: number;
  readonly default: ProjectMessages;
}

export type ProjectField = NameField | PlanField | DomainsField | ListField | CountField;
export type PolicyField = ActionsField | SignalsField | ChoiceField | CountField | MessagesField;

export type ValueOf<Field> = Field extends { kind: 'count'; default: null }
  ? number | null
  : Field extends { kind: 'count' }
    ? number
    : Field extends { kind: 'choice'; values: readonly (infer Value)[] }
      ? Value
      : Field extends { kind: 'actions' }
        ? CheckActions
        : Field extends { kind: 'signals' }
          ? SignalActions
          : Field extends { kind: 'messages' }
            ? ProjectMessages
            : Field extends { kind: 'domains' }
              ? readonly string[]
              : Field extends { kind: 'list' }
                ? readonly ListEntry[]
                : string;
