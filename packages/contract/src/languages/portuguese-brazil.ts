import type { FormTexts, Language } from './language.ts';

const MALFORMED = 'Digite um endereço de e-mail que possa receber mensagens.';

export const PORTUGUESE_BRAZIL_FORM: FormTexts = {
  malformed: MALFORMED,
  unavailable: 'Não foi possível verificar este endereço agora. Tente novamente.',
  checking: 'Verificando o endereço…',
  suggestion: 'Você quis dizer {address}?',
  accept: 'Usar {address}',
};

export const PORTUGUESE_BRAZIL: Language = {
  tag: 'pt-BR',
  form: PORTUGUESE_BRAZIL_FORM,
  messages: {
    syntax: MALFORMED,
    disposable: 'Use um endereço de e-mail permanente.',
    mx: 'Este endereço não pode receber mensagens. Confira a parte depois do @.',
    roleEmail: 'Use seu endereço de e-mail pessoal em vez de uma caixa de entrada compartilhada.',
    alias: 'Use o endereço principal da sua caixa de entrada.',
    device: 'Não foi possível aceitar este cadastro automaticamente. Entre em contato com o suporte.',
    ip: 'Não foi possível verificar este cadastro. Tente novamente usando outra conexão.',
    localPart: 'Esse provedor não tem um endereço assim. Confira a parte antes do @.',
  },
  again: 'Confira seu endereço de e-mail e envie o formulário novamente.',
  withScript: 'Ative o JavaScript no seu navegador e envie o formulário novamente.',
  goBack: 'Volte e tente novamente.',
};
