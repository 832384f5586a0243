import { Component, inject } from '@angular/core';
import { EmailField } from '@postern/sdk-angular';
import { NewsletterForm } from './newsletter-form';
import { POSTERN } from './postern';

@Component({
  selector: 'sign-up-form',
  imports: [EmailField, NewsletterForm],
  template: `
    <form method="post" action="/sign-up">
      <postern-email-field [client]="postern" label="Email" />
      <button type="submit">Sign up</button>
    </form>
    <newsletter-form />
  `,
})
export class SignUpForm {
  protected readonly postern = inject(POSTERN);
}
