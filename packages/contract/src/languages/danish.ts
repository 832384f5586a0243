import type { FormTexts, Language } from './language.ts';

const MALFORMED = 'Angiv en e-mailadresse, der kan modtage mails.';

export const DANISH_FORM: FormTexts = {
  malformed: MALFORMED,
  unavailable: 'Vi kunne ikke kontrollere denne adresse lige nu. Prøv igen.',
  checking: 'Adressen kontrolleres…',
  suggestion: 'Mente du {address}?',
  accept: 'Brug {address}',
};

export const DANISH: Language = {
  tag: 'da',
  form: DANISH_FORM,
  messages: {
    syntax: MALFORMED,
    disposable: 'Brug en permanent e-mailadresse.',
    mx: 'Denne adresse kan ikke modtage mails. Kontrollér delen efter @.',
    roleEmail: 'Brug din personlige e-mailadresse i stedet for en fælles postkasse.',
    alias: 'Brug hovedadressen for din postkasse.',
    device: 'Vi kunne ikke godkende denne tilmelding automatisk. Kontakt supporten.',
    ip: 'Vi kunne ikke bekræfte denne tilmelding. Prøv igen fra en anden forbindelse.',
    localPart: 'Denne adresse findes ikke hos udbyderen. Kontrollér delen før @.',
  },
  again: 'Kontrollér din e-mailadresse, og send formularen igen.',
  withScript: 'Slå JavaScript til i din browser, og send formularen igen.',
  goBack: 'Gå tilbage, og prøv igen.',
};
