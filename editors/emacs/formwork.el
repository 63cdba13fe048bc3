;;; formwork.el --- Formwork in Emacs 28 or newer, with eglot  -*- lexical-binding: t; -*-

;; Copy the file into a directory of `load-path' and add to the init file:
;;   (require 'formwork)

;;; Code:

(require 'eglot)

(defgroup formwork nil
  "CloudFormation loops, modules and checks."
  :group 'tools)

(defcustom formwork-program "formwork"
  "The program that serves templates."
  :type 'string)

(add-to-list 'eglot-server-programs
             (cons '(yaml-mode yaml-ts-mode js-json-mode json-mode json-ts-mode
                         conf-toml-mode toml-mode toml-ts-mode)
                   (lambda (&rest _) (list formwork-program "lsp"))))

(defun formwork-expansion ()
  "Show the expansion of the template in the current buffer."
  (interactive)
  (let* ((server (eglot-current-server))
         (uri (plist-get (eglot--TextDocumentIdentifier) :uri))
         (start '(:line 0 :character 0))
         (map (jsonrpc-request server :formwork/map (list :uri uri :range (list :start start :end start))))
         (answer (jsonrpc-request server :formwork/expanded (list :uri (plist-get map :view))))
         (mode major-mode)
         (buffer (get-buffer-create (format "*expansion of %s*" (buffer-name)))))
    (with-current-buffer buffer
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert (plist-get answer :text)))
      (funcall mode)
      (goto-char (point-min))
      (read-only-mode 1))
    (display-buffer buffer)))

(provide 'formwork)
;;; formwork.el ends here
