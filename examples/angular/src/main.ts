import { bootstrapApplication } from '@angular/platform-browser';
import { createPosternClient } from '@postern/sdk-angular';
import { POSTERN } from './postern';
import { SignUpForm } from './sign-up-form';

const settings = await (await fetch('/settings')).json();
const postern = createPosternClient(settings);
await bootstrapApplication(SignUpForm, { providers: [{ provide: POSTERN, useValue: postern }] });
