import type { FormTexts, Language } from './language.ts';

const MALFORMED = 'Ange en e-postadress som kan ta emot e-post.';

export const SWEDISH_FORM: FormTexts = {
  malformed: MALFORMED,
  unavailable: 'Vi kunde inte kontrollera den här adressen just nu. Försök igen.',
  checking: 'Adressen kontrolleras …',
  suggestion: 'Menade du {address}?',
  accept: 'Använd {address}',
};

export const SWEDISH: Language = {
  tag: 'sv',
  form: SWEDISH_FORM,
  messages: {
    syntax: MALFORMED,
    disposable: 'Använd en permanent e-postadress.',
    mx: 'Den här adressen kan inte ta emot e-post. Kontrollera delen efter @.',
    roleEmail: 'Använd din personliga e-postadress i stället för en delad brevlåda.',
    alias: 'Använd huvudadressen till din brevlåda.',
    device: 'Vi kunde inte godkänna den här registreringen automatiskt. Kontakta supporten.',
    ip: 'Vi kunde inte verifiera den här registreringen. Försök igen från en annan anslutning.',
    localPart: 'Den här adressen finns inte hos leverantören. Kontrollera delen före @.',
  },
  again: 'Kontrollera din e-postadress och skicka formuläret igen.',
  withScript: 'Slå på JavaScript i din webbläsare och skicka formuläret igen.',
  goBack: 'Gå tillbaka och försök igen.',
};
