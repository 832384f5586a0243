export default defineNuxtConfig({
  compatibilityDate: '2025-07-15',
  telemetry: false,
  app: { head: { title: 'Sign up', htmlAttrs: { lang: 'en' } } },
});
