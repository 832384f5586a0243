// `vue` is this package and a compiler. Were it installed here, it would end up in the service’s own installation too, because
// another package there has it as an optional peer.
declare module 'vue' {
  export * from '@vue/runtime-dom';
}
