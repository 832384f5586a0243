import { mount } from 'svelte';
import FieldApp from './FieldApp.svelte';

mount(FieldApp, { target: document.getElementById('root') });
