import type { FormTexts, Language } from './language.ts';

const MALFORMED = 'Por favor, introduzca una dirección de correo que pueda recibir mensajes.';

export const SPANISH_FORM: FormTexts = {
  malformed: MALFORMED,
  unavailable: 'No hemos podido comprobar esta dirección en este momento. Inténtelo de nuevo.',
  checking: 'Comprobando la dirección…',
  suggestion: '¿Quiso decir {address}?',
  accept: 'Usar {address}',
};

export const SPANISH: Language = {
  tag: 'es',
  form: SPANISH_FORM,
  messages: {
    syntax: MALFORMED,
    disposable: 'Por favor, utilice una dirección de correo permanente.',
    mx: 'Esta dirección no puede recibir mensajes. Compruebe la parte que sigue a la @.',
    roleEmail: 'Por favor, utilice su dirección de correo personal en lugar de un buzón compartido.',
    alias: 'Por favor, utilice la dirección principal de su buzón.',
    device:
      'No hemos podido aceptar este registro automáticamente. Póngase en contacto con el servicio de asistencia.',
    ip: 'No hemos podido verificar este registro. Inténtelo de nuevo desde otra conexión.',
    localPart: 'Este proveedor no tiene una dirección así. Compruebe la parte anterior a la @.',
  },
  again: 'Por favor, compruebe su dirección de correo y envíe el formulario de nuevo.',
  withScript: 'Por favor, active JavaScript en su navegador y envíe el formulario de nuevo.',
  goBack: 'Por favor, vuelva atrás e inténtelo de nuevo.',
};
