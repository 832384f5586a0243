import { Component } from '@angular/core';
import { EmailField } from '@postern/sdk-angular';
import { postern } from './postern';

@Component({
  selector: 'app-sign-up-form',
  imports: [EmailField],
  template: `
    <form method="post" action="/sign-up">
      <postern-email-field [client]="postern" label="Email" />
      <button type="submit">Sign up</button>
    </form>
  `,
})
export class SignUpForm {
  protected readonly postern = postern;
}
