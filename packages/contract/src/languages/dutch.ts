import type { FormTexts, Language } from './language.ts';

const MALFORMED = 'Vul een e-mailadres in dat e-mail kan ontvangen.';

export const DUTCH_FORM: FormTexts = {
  malformed: MALFORMED,
  unavailable: 'We konden dit adres nu niet controleren. Probeer het opnieuw.',
  checking: 'Het adres wordt gecontroleerd…',
  suggestion: 'Bedoelde u {address}?',
  accept: '{address} gebruiken',
};

export const DUTCH: Language = {
  tag: 'nl',
  form: DUTCH_FORM,
  messages: {
    syntax: MALFORMED,
    disposable: 'Gebruik een permanent e-mailadres.',
    mx: 'Dit adres kan geen e-mail ontvangen. Controleer het deel na de @.',
    roleEmail: 'Gebruik uw persoonlijke e-mailadres in plaats van een gedeelde mailbox.',
    alias: 'Gebruik het hoofdadres van uw mailbox.',
    device: 'We konden deze aanmelding niet automatisch accepteren. Neem contact op met de klantenservice.',
    ip: 'We konden deze aanmelding niet controleren. Probeer het opnieuw via een andere verbinding.',
    localPart: 'Dit adres bestaat niet bij deze aanbieder. Controleer het deel voor de @.',
  },
  again: 'Controleer uw e-mailadres en verstuur het formulier opnieuw.',
  withScript: 'Zet JavaScript aan in uw browser en verstuur het formulier opnieuw.',
  goBack: 'Ga terug en probeer het opnieuw.',
};
