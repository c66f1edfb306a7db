(component
  ;; The list lies at 2048: where, and how many. Any entry would be a leak.
  (import "wasi:cli/environment@0.2.0" (instance $environment
    (export "get-environment" (func (result (list (tuple string string)))))
    (export "get-arguments" (func (result (list string))))))
  (core module $libc
    (memory (export "memory") 2)
    (global $top (mut i32) (i32.const 65536))
    (func (export "realloc") (param i32 i32 i32 i32) (result i32)
      (local $at i32)
      (local.set $at (i32.and (i32.add (global.get $top) (i32.const 7)) (i32.const -8)))
      (global.set $top (i32.add (local.get $at) (local.get 3)))
      (local.get $at)))
  (core instance $libc (instantiate $libc))
  (core func $list (canon lower (func $environment "get-arguments") (memory (core memory $libc "memory"))
    (realloc (core func $libc "realloc"))))
  (core module $module
    (import "host" "list" (func $list (param i32)))
    (import "host" "memory" (memory $host 2))
    (memory (export "memory") 2)
    (global $top (mut i32) (i32.const 65536))
    (func $realloc (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
      (local.set $at (i32.and (i32.add (global.get $top) (i32.const 7)) (i32.const -8)))
      (global.set $top (i32.add (local.get $at) (local.get 3)))
      (local.get $at))
    (func (export "run") (param i32) (result i32)
      (call $list (i32.const 2048))
      (if (i32.load $host (i32.const 2052)) (then (unreachable)))
      (i32.const 1024)))
  (core instance $main (instantiate $module
    (with "host" (instance (export "list" (func $list)) (export "memory" (memory $libc "memory"))))))
  ;; frame
)
