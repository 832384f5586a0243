import type { Language } from './language.ts';

export const DUTCH: Language = {
  messages: {
    syntax: 'Vul een e-mailadres in dat e-mail kan ontvangen.',
    disposable: 'Gebruik een permanent e-mailadres.',
    mx: 'Dit adres kan geen e-mail ontvangen. Controleer het deel na de @.',
    roleEmail: 'Gebruik uw persoonlijke e-mailadres in plaats van een gedeelde mailbox.',
    alias: 'Gebruik het hoofdadres van uw mailbox.',
    device: 'We konden deze aanmelding niet automatisch accepteren. Neem contact op met de klantenservice.',
    ip: 'We konden deze aanmelding niet controleren. Probeer het opnieuw via een andere verbinding.',
  },
  unavailable: 'We konden dit adres nu niet controleren. Probeer het opnieuw.',
  suggestion: 'Bedoelde u {address}?',
  accept: '{address} gebruiken',
};
