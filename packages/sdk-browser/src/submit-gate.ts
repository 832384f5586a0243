import { canSubmit, type EmailField, type EmailFieldState } from '@postern/sdk-core';
import { isRepeatedClick } from './mouse-press.ts';

export interface GatedField {
  readonly input: HTMLInputElement;
  readonly field: EmailField;
}

type Submitter = HTMLButtonElement | HTMLInputElement;

interface SubmitGate {
  readonly fields: Set<GatedField>;
  close(): void;
}

/** One gate for each form, however many of its fields are attached: two would hold each other’s submissions. */
const gates = new WeakMap<HTMLFormElement, SubmitGate>();

/** Fields that a page took out of the form to put others in their place. */
export function lostFields(form: HTMLFormElement): HTMLInputElement[] {
  const inputs = [...(gates.get(form)?.fields ?? [])].map(({ input }) => input);
  return inputs.filter((input) => !input.isConnected);
}

/** Holds a form’s submissions back until its fields are validated. Returns how to stop that. For framework bindings. */
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

/** The submit event comes twice: held back while the addresses are settled, then let through. */
function openGate(form: HTMLFormElement): SubmitGate {
  const fields = new Set<GatedField>();
  let passing = false;
  let settling = false;

  /** Fields that were taken out of the form or left empty have no say. */
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
    // A remembered answer comes while the event is still under way, when a form cannot be submitted again.
    await new Promise((resolve) => setTimeout(resolve));
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

  // Capture, so that the page’s own listeners see the form only once it may go.
  form.addEventListener('submit', onSubmit, true);
  return { fields, close: () => form.removeEventListener('submit', onSubmit, true) };
}

/** Settles what stands in the fields, and once more when a script changed it meanwhile. */
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
