import type { Language } from './language.ts';

export const PORTUGUESE: Language = {
  messages: {
    syntax: 'Introduza um endereço de e-mail que possa receber mensagens.',
    disposable: 'Use um endereço de e-mail permanente.',
    mx: 'Este endereço não pode receber mensagens. Verifique a parte depois do @.',
    roleEmail: 'Use o seu endereço de e-mail pessoal em vez de uma caixa de correio partilhada.',
    alias: 'Use o endereço principal da sua caixa de correio.',
    device: 'Não foi possível aceitar este registo automaticamente. Contacte o apoio ao cliente.',
    ip: 'Não foi possível verificar este registo. Tente novamente a partir de outra ligação.',
  },
  unavailable: 'Não foi possível verificar este endereço de momento. Tente novamente.',
  suggestion: 'Queria dizer {address}?',
  accept: 'Usar {address}',
};
