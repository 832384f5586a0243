import { Component } from '@angular/core';
import { NewsletterForm } from './newsletter-form';
import { SignUpForm } from './sign-up-form';

@Component({
  selector: 'app-root',
  imports: [NewsletterForm, SignUpForm],
  template: '<app-sign-up-form /><app-newsletter-form />',
})
export class App {}
