import { canSubmit, type EmailField, type EmailFieldState } from './core.ts';
import { isRepeatedClick } from './mouse-press.ts';

export interface GatedField {
  readonly input: HTMLInputElement;
  readonly field: EmailField;
  /** Asks a flagged person for what the flag asks for. Never rejects. */
  readonly askPerson?: () => Promise<void>;
}

type Submitter = HTMLButtonElement | HTMLInputElement;

interface SubmitGate {
  readonly fields: Set<GatedField>;
  close(): void;
}

/** One gate per form, however many of its fields are attached. Two gates would block each other’s submissions. */
const gates = new WeakMap<HTMLFormElement, SubmitGate>();

/** Removes the fields that the page has replaced by others. */
export function lostFields(form: HTMLFormElement): HTMLInputElement[] {
  const inputs = [...(gates.get(form)?.fields ?? [])].map(({ input }) => input);
  return inputs.filter((input) => !input.isConnected);
}

/**
 * Delays a form’s submissions until its fields are validated. Returns a function that ends this. For framework
 * bindings.
 */
export function joinSubmitGate(form: HTMLFormElement, gated: GatedField): () => void {
  const gate = gates.get(form) ?? openGate(form);
  gates.set(form, gate);
  gate.fields.add(gated);
  return () => {
    gate.fields.delete(gated);
    if (gate.fields.size > 0) return;
    gate.close();
    gates.delete(form);
  };
}

/** The submit event comes twice: it is cancelled until the addresses are validated, then let through. */
function openGate(form: HTMLFormElement): SubmitGate {
  const fields = new Set<GatedField>();
  let passing = false;
  let settling = false;

  /** Fields that were removed from the form or are empty do not count. */
  const filledIn = () => [...fields].filter(({ input }) => input.isConnected && input.value.trim() !== '');

  const pass = (submitter: Submitter | null) => {
    passing = true;
    try {
      form.requestSubmit(submitter?.form === form ? submitter : null);
    } finally {
      passing = false;
    }
  };

  const settleAndPass = async (submitter: Submitter | null) => {
    await settleAll(filledIn);
    // A cached answer can arrive while the event is still being dispatched, when a form cannot be submitted again.
    await new Promise((resolve) => setTimeout(resolve));
    for (const { input, field, askPerson } of filledIn())
      if (isReady(input, field.getState())) await askPerson?.();
    const held = filledIn().find(({ input, field }) => !isReady(input, field.getState()));
    if (held === undefined) pass(submitter);
    else held.input.focus();
  };

  const onSubmit = (event: SubmitEvent) => {
    const submitter = event.submitter as Submitter | null;
    if (passing) {
      for (const { field } of filledIn()) field.submitted();
      return;
    }
    if (submitter?.formNoValidate || filledIn().length === 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (settling || isRepeatedClick()) return;
    settling = true;
    void settleAndPass(submitter).finally(() => {
      settling = false;
    });
  };

  // In the capture phase, so that the page’s own listeners see the event only when the form may be submitted.
  form.addEventListener('submit', onSubmit, true);
  return { fields, close: () => form.removeEventListener('submit', onSubmit, true) };
}

/** Validates the fields’ values, and again if a script changed one in the meantime. */
async function settleAll(filledIn: () => GatedField[]): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    const settled = filledIn().map(({ input, field }) => {
      field.setValue(input.value);
      return field.validateNow();
    });
    await Promise.all(settled);
    if (filledIn().every(({ input, field }) => input.value === field.getState().value)) return;
  }
}

function isReady(input: HTMLInputElement, state: EmailFieldState): boolean {
  return input.value === state.value && canSubmit(state);
}
