import { createPosternClient } from '@postern/sdk-vue';
import { createApp } from 'vue';
import App from './App.vue';

const settings = await (await fetch('/settings')).json();
createApp(App, { postern: createPosternClient(settings) }).mount('#app');
