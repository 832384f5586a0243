import { Component } from '@angular/core';
import { EmailInput } from '@postern/sdk-angular';
import { postern } from './postern';

@Component({
  selector: 'app-newsletter-form',
  imports: [EmailInput],
  template: `
    <form (submit)="subscribe($event)">
      <input #email="posternEmail" [posternEmail]="postern" name="newsletter" type="email" aria-label="Newsletter"
        aria-describedby="newsletter-help" required />
      <p id="newsletter-help" role="status" aria-live="polite">{{ email.view().helpText }}</p>
      <button type="button" [hidden]="email.view().suggestion === null" (click)="email.accept()">
        {{ email.view().acceptText }}
      </button>
      <button type="submit">Subscribe</button>
    </form>
  `,
})
export class NewsletterForm {
  protected readonly postern = postern;

  /** Comes only when the address may pass; the form has its verdict then. */
  protected subscribe(event: Event): void {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const fields = ['newsletter', 'postern-verdict'].map((name) => [name, String(form.get(name))]);
    void fetch('/newsletter', { method: 'POST', body: new URLSearchParams(fields) });
  }
}
