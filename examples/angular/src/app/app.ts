import { Component } from '@angular/core';
import { SignUpForm } from './sign-up-form';

@Component({
  selector: 'app-root',
  imports: [SignUpForm],
  template: '<app-sign-up-form />',
})
export class App {}
