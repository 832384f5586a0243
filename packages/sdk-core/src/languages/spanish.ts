import type { Language } from './language.ts';

export const SPANISH: Language = {
  messages: {
    syntax: 'Introduzca una dirección de correo que pueda recibir mensajes.',
    disposable: 'Utilice una dirección de correo permanente.',
    mx: 'Esta dirección no puede recibir mensajes. Compruebe la parte que sigue a la @.',
    roleEmail: 'Utilice su dirección de correo personal en lugar de un buzón compartido.',
    alias: 'Utilice la dirección principal de su buzón.',
    device:
      'No hemos podido aceptar este registro automáticamente. Póngase en contacto con el servicio de asistencia.',
    ip: 'No hemos podido verificar este registro. Inténtelo de nuevo desde otra conexión.',
  },
  unavailable: 'No hemos podido comprobar esta dirección en este momento. Inténtelo de nuevo.',
  suggestion: '¿Quiso decir {address}?',
  accept: 'Usar {address}',
};
