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
    plain: {
      syntax: MALFORMED,
      disposable: 'Gebruik een permanent e-mailadres.',
      mx: 'Dit adres kan geen e-mail ontvangen. Controleer het deel na de @.',
      roleEmail: 'Gebruik uw persoonlijke e-mailadres in plaats van een gedeelde mailbox.',
      alias: 'Gebruik het hoofdadres van uw mailbox.',
      device: 'We konden deze aanmelding niet automatisch accepteren. Neem contact op met de klantenservice.',
      ip: 'We konden deze aanmelding niet controleren. Probeer het opnieuw via een andere verbinding.',
    },
    friendly: {
      syntax: 'Hmm, naar dat adres lijken we niet te kunnen schrijven. Wilt u het nog eens nakijken?',
      disposable: 'We houden graag contact: kunt u een adres gebruiken dat u houdt?',
      mx: 'We kunnen dat adres niet bereiken. Is het deel na de @ goed gespeld?',
      roleEmail: 'Kunt u uw eigen adres gebruiken in plaats van een gedeelde mailbox?',
      alias: 'Kunt u het hoofdadres van uw mailbox gebruiken?',
      device: 'Dit lukte ons niet automatisch. Schrijf ons, dan lossen we het samen op.',
      ip: 'We konden deze aanmelding niet controleren. Kunt u het via een andere verbinding proberen?',
    },
  },
  again: 'Controleer uw e-mailadres en verstuur het formulier opnieuw.',
  withScript: 'Zet JavaScript aan in uw browser en verstuur het formulier opnieuw.',
  goBack: 'Ga terug en probeer het opnieuw.',
};
