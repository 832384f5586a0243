import { Component, CUSTOM_ELEMENTS_SCHEMA } from '@angular/core';
import './postern';

@Component({
  selector: 'app-sign-up-form',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <form method="post" action="/sign-up">
      <postern-email>
        <label>Email <input name="email" type="email" required /></label>
      </postern-email>
      <button type="submit">Sign up</button>
    </form>
  `,
})
export class SignUpForm {}
