import { mount } from 'svelte';
import SvelteApp from './SvelteApp.svelte';

mount(SvelteApp, { target: document.getElementById('root') });
