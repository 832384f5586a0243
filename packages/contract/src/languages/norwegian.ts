import type { FormTexts, Language } from './language.ts';

const MALFORMED = 'Oppgi en e-postadresse som kan motta e-post.';

export const NORWEGIAN_FORM: FormTexts = {
  malformed: MALFORMED,
  unavailable: 'Vi kunne ikke kontrollere denne adressen akkurat nå. Prøv igjen.',
  checking: 'Adressen kontrolleres …',
  suggestion: 'Mente du {address}?',
  accept: 'Bruk {address}',
};

export const NORWEGIAN: Language = {
  tag: 'nb',
  form: NORWEGIAN_FORM,
  messages: {
    syntax: MALFORMED,
    disposable: 'Bruk en permanent e-postadresse.',
    mx: 'Denne adressen kan ikke motta e-post. Kontroller delen etter @.',
    roleEmail: 'Bruk din personlige e-postadresse i stedet for en felles postkasse.',
    alias: 'Bruk hovedadressen til postkassen din.',
    device: 'Vi kunne ikke godta denne registreringen automatisk. Kontakt kundestøtte.',
    ip: 'Vi kunne ikke bekrefte denne registreringen. Prøv igjen fra en annen tilkobling.',
    localPart: 'Denne adressen finnes ikke hos leverandøren. Kontroller delen før @.',
  },
  again: 'Kontroller e-postadressen din og send skjemaet på nytt.',
  withScript: 'Slå på JavaScript i nettleseren din og send skjemaet på nytt.',
  goBack: 'Gå tilbake og prøv igjen.',
};
